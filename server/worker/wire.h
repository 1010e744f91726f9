// Wire: plain data as bytes, for two processes of the same binary on one machine.
//
// Every field of an aggregate goes over the wire in the order of its declaration, so none can be forgotten
// when a struct grows. There is no version in it: both ends are the same program. The reader trusts nothing:
// what is too short or too long gives false, and the value is then unusable.
//
// Threading: pure functions.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "server/worker/fields.h"

namespace heddle::wire {

class Writer {
 public:
  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      std::apply([this](const auto&... field) { (put(field), ...); }, fieldsOf(value));
    }
  }
  void put(const std::string& value) {
    put(value.size());
    bytes_ += value;
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    putAll(values);
  }
  template <typename T>
  void put(const std::set<T>& values) {
    putAll(values);
  }
  template <typename K, typename V>
  void put(const std::map<K, V>& values) {
    putAll(values);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& value) {
    put(value.first);
    put(value.second);
  }

  std::string take() { return std::move(bytes_); }

 private:
  template <typename Container>
  void putAll(const Container& values) {
    put(values.size());
    for (const auto& value : values) put(value);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  bool get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (bytes_.size() - at_ < sizeof value) return false;
      std::memcpy(&value, bytes_.data() + at_, sizeof value);
      at_ += sizeof value;
      return true;
    } else {
      return std::apply([this](auto&... field) { return (get(field) && ...); }, fieldsOf(value));
    }
  }
  bool get(std::string& value) {
    size_t size = 0;
    if (!get(size) || bytes_.size() - at_ < size) return false;
    value.assign(bytes_, at_, size);
    at_ += size;
    return true;
  }
  template <typename T>
  bool get(std::optional<T>& value) {
    bool present = false;
    if (!get(present)) return false;
    return present ? get(value.emplace()) : (value.reset(), true);
  }
  template <typename T>
  bool get(std::vector<T>& values) {
    values.clear();
    return getAll<T>([&](T value) { values.push_back(std::move(value)); });
  }
  template <typename T>
  bool get(std::set<T>& values) {
    values.clear();
    return getAll<T>([&](T value) { values.insert(std::move(value)); });
  }
  template <typename K, typename V>
  bool get(std::map<K, V>& values) {
    values.clear();
    return getAll<std::pair<K, V>>([&](std::pair<K, V> value) { values.insert(std::move(value)); });
  }
  template <typename A, typename B>
  bool get(std::pair<A, B>& value) {
    return get(value.first) && get(value.second);
  }

  bool atEnd() const { return at_ == bytes_.size(); }

 private:
  template <typename T, typename Add>
  bool getAll(const Add& add) {
    size_t size = 0;
    if (!get(size) || size > bytes_.size() - at_) return false;  // each takes a byte at least
    for (size_t i = 0; i < size; ++i) {
      T value{};
      if (!get(value)) return false;
      add(std::move(value));
    }
    return true;
  }

  const std::string& bytes_;
  size_t at_ = 0;
};

/// Several values, one behind the other.
template <typename... T>
std::string packed(const T&... values) {
  Writer writer;
  (writer.put(values), ...);
  return writer.take();
}

/// False: the bytes are not exactly these values.
template <typename... T>
bool unpack(const std::string& bytes, T&... values) {
  Reader reader(bytes);
  return (reader.get(values) && ...) && reader.atEnd();
}

}  // namespace heddle::wire
