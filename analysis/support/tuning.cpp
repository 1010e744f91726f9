#include "analysis/support/tuning.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle {

namespace {

constexpr std::array kRows = {
#define HEDDLE_SHARE(name, value, meaning) TuningRow{#name, &Tuning::name, nullptr, 0, 1, meaning},
#define HEDDLE_LIMIT(name, value, least, most, meaning) \
  TuningRow{#name, nullptr, &Tuning::name, least, most, meaning},
#include "analysis/support/tuning.def"
};

template <typename Number>
bool take(std::string_view text, double least, double most, Number& into) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  const auto given = static_cast<double>(value);
  if (!isNumber || !(given >= least && given <= most)) return false;  // what is no number is in no range
  into = value;
  return true;
}

}  // namespace

std::span<const TuningRow> tuningRows() {
  return kRows;
}

const Tuning& Tuning::standard() {
  static const Tuning standard;
  return standard;
}

std::optional<std::string> Tuning::set(std::string_view nameAndValue) {
  const size_t equals = nameAndValue.find('=');
  const std::string name(nameAndValue.substr(0, equals));
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const TuningRow& r) { return r.name == name; });
  if (equals == std::string_view::npos || row == kRows.end())
    return "'" + std::string(nameAndValue) +
           "' names no number of the table in docs/tuning.md; write NAME=VALUE";
  const std::string_view value = nameAndValue.substr(equals + 1);
  const auto least = static_cast<double>(row->least), most = static_cast<double>(row->most);
  if (row->share ? take(value, least, most, this->*row->share) : take(value, least, most, this->*row->limit))
    return std::nullopt;
  return name + " is a number from " + std::to_string(row->least) + " to " + std::to_string(row->most);
}

}  // namespace heddle
