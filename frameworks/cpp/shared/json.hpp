#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/codec.hpp"
#include "shared/misfit.hpp"

namespace shared {

using json = nlohmann::json;

template <>
struct JsonTraits<json> {
  static const json* find(const json& object, const char* name) {
    if (!object.is_object()) throw Misfit("not an object");
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
  }

  static const std::string& text(const json& value) {
    if (!value.is_string()) throw Misfit("not a text");
    return value.get_ref<const std::string&>();
  }

  /// Throws Misfit for all but 32-bit integers. json::get<int>() takes true and 1.5 for 1, and changes longer numbers.
  static std::int32_t integer(const json& value) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (!value.is_number_integer() || value < Limits::min() || value > Limits::max()) throw Misfit("not an integer");
    return value.get<std::int32_t>();
  }

  template <class Use>
  static void for_each(const json& list, Use use) {
    if (!list.is_array()) throw Misfit("not a list");
    for (const json& each : list) use(each);
  }

  static json object() { return json::object(); }
  static void set(json& object, const char* name, json value) { object[name] = std::move(value); }
  static json array(std::vector<json> values) { return values; }
};

/// Returns the value of a JSON text. Throws Misfit where the text is not JSON.
inline json parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw Misfit(error.what());
  }
}

/// Returns a declared type from a JSON text. Throws Misfit where it does not fit.
template <class T>
T read(std::string_view text) {
  return decode<T>(parse_json(text));
}

/// Returns the JSON text of a declared type.
template <class T>
std::string write(const T& value) {
  return encode<json>(value).dump();
}

}  // namespace shared
