#include "protocol/json.h"

#include <utility>
#include <vector>

namespace heddle::lsp {
namespace {

// Builds the value from the parser's events. A child is always added to the innermost open container, whose
// siblings are complete, so the pointers in open_ stay valid while arrays grow.
class Builder final : public json::json_sax_t {
 public:
  json& value() { return root_; }
  JsonError& error() { return error_; }

  bool null() override { return leaf(nullptr); }
  bool boolean(bool b) override { return leaf(b); }
  bool number_integer(json::number_integer_t n) override { return leaf(n); }
  bool number_unsigned(json::number_unsigned_t n) override { return leaf(n); }
  bool number_float(json::number_float_t n, const std::string&) override { return leaf(n); }
  bool string(std::string& s) override { return leaf(std::move(s)); }
  bool binary(json::binary_t&) override { return false; }

  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    member_ = &(*open_.back())[name];
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    std::string_view text = e.what();
    if (size_t end = text.find("] "); end != std::string_view::npos) text.remove_prefix(end + 2);
    error_ = {position, std::string(text)};
    return false;
  }

 private:
  template <class T>
  bool leaf(T&& scalar) {
    add(json(std::forward<T>(scalar)));
    return true;
  }

  json* add(json child) {
    if (open_.empty()) {
      root_ = std::move(child);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(child));
      return &parent.back();
    }
    *member_ = std::move(child);
    return member_;
  }

  bool open(json container) {
    if (open_.size() == maxJsonDepth) {
      error_ = {0, "nested more than " + std::to_string(maxJsonDepth) + " levels deep"};
      return false;
    }
    open_.push_back(add(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;
  json* member_ = nullptr;
  JsonError error_;
};

}  // namespace

std::variant<json, JsonError> parseJson(std::string_view text) {
  Builder builder;
  if (json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.value());
  return std::move(builder.error());
}

std::string printJson(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<std::string> textMember(const json& object, const char* name) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

}  // namespace heddle::lsp
