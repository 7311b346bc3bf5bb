#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "shared/date_time.hpp"
#include "shared/misfit.hpp"

namespace shared {

/// A plain JSON value.
using nlohmann::json;

/// Returns a declared type from a JSON text. Throws Misfit where the text is not JSON, or does not fit.
template <class T>
T read(const std::string& text) {
  try {
    return json::parse(text).get<T>();
  } catch (const json::exception& error) {
    throw Misfit(error.what());
  }
}

/// Returns the JSON text of a declared type.
template <class T>
std::string write(const T& value) {
  return json(value).dump();
}

/// Reads a field that may be missing, but may not be null.
template <class T>
void read_optional(const json& object, const char* name, std::optional<T>& value) {
  if (object.contains(name)) value = object[name].get<T>();
}

/// Leaves the field out where there is no value.
template <class T>
void write_optional(json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

}  // namespace shared

/// By default, nlohmann/json cuts fractions and long integers when it reads an int. So the type is asked for first.
template <>
struct nlohmann::adl_serializer<std::int32_t> {
  static void from_json(const json& json, std::int32_t& value) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto number = json.get<double>();
    if (!json.is_number_integer() || number < Limits::min() || number > Limits::max()) {
      throw json::type_error::create(302, json.dump() + " is no integer of 32 bits", &json);
    }
    value = static_cast<std::int32_t>(number);
  }

  static void to_json(json& json, std::int32_t value) { json = json::number_integer_t(value); }
};

template <>
struct nlohmann::adl_serializer<shared::DateTime> {
  static void from_json(const json& json, shared::DateTime& value) {
    const auto time = shared::parse_date_time(json.get_ref<const std::string&>());
    if (!time) throw json::type_error::create(302, json.dump() + " is no date-time", &json);
    value = *time;
  }

  static void to_json(json& json, shared::DateTime value) { json = shared::format_date_time(value); }
};
