#include "server/driver/bench_plot.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace heddle {
namespace {

constexpr double kLeft = 170, kWidth = 560, kTop = 52, kRowHeight = 20;
constexpr double kLeast = 0.001, kMost = 1000;  // seconds at both ends of the axis

double xOf(double seconds) {
  const double clamped = std::clamp(seconds, kLeast, kMost);
  return kLeft +
         kWidth * (std::log10(clamped) - std::log10(kLeast)) / (std::log10(kMost) - std::log10(kLeast));
}

template <typename... Values>
std::string formatted(const char* pattern, Values... values) {
  std::array<char, 512> text;
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string axis(double bottom) {
  std::string out;
  for (double seconds = kLeast; seconds <= kMost * 1.001; seconds *= 10) {
    const double x = xOf(seconds);
    out +=
        formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", x, kTop - 6, x, bottom);
    out += formatted("<text x='%.1f' y='%.1f' text-anchor='middle'>%g s</text>\n", x, kTop - 12, seconds);
  }
  return out;
}

std::string target(double x, double y) {
  return formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#000' stroke-width='2'/>\n", x,
                   y - 7, x, y + 7);
}

std::string peer(double x, double y) {
  return formatted("<rect x='%.1f' y='%.1f' width='8' height='8' fill='none' stroke='#06c'/>\n", x - 4,
                   y - 4);
}

/// Filled when the answer came, hollow when the budget ended first.
std::string measured(double x, double y, const BenchResult& result) {
  const char* colour = result.targetMet() ? "#080" : "#c00";
  return formatted("<circle cx='%.1f' cy='%.1f' r='5' fill='%s' stroke='%s'/>\n", x, y,
                   result.agreement == Agreement::AsExpected ? colour : "none", colour);
}

std::string label(double x, double y, const char* text) {
  return formatted("<text x='%.1f' y='%.1f'>%s</text>\n", x, y + 4, text);
}

std::string legend() {
  BenchResult met, missed, open;
  met.row.targetSeconds = 1;
  met.agreement = missed.agreement = Agreement::AsExpected;
  const double y = 14;
  return measured(20, y, met) + label(30, y, "within the target") + measured(150, y, missed) +
         label(160, y, "above it") + measured(230, y, open) + label(240, y, "no answer in the budget") +
         target(400, y) + label(408, y, "target") + peer(470, y) + label(480, y, "best peer");
}

}  // namespace

std::optional<double> peerSeconds(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('>') ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string plotBench(const std::vector<BenchResult>& results) {
  std::string rows;
  double y = kTop + kRowHeight / 2;
  for (const BenchResult& result : results) {
    if (!result.row.targetSeconds) continue;
    rows += formatted("<text x='%.1f' y='%.1f' text-anchor='end'>", kLeft - 10, y + 4) +
            escaped(result.row.name) + "</text>\n" + target(xOf(*result.row.targetSeconds), y);
    if (const auto seconds = peerSeconds(result.row.peer)) rows += peer(xOf(*seconds), y);
    rows += measured(xOf(result.cpuSeconds), y, result);
    y += kRowHeight;
  }
  return formatted(
             "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' font-family='sans-serif' "
             "font-size='12'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
             kLeft + kWidth + 40, y + 10) +
         legend() + axis(y) + rows + "</svg>\n";
}

}  // namespace heddle
