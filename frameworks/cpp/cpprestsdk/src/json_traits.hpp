#pragma once

#include <cpprest/json.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shared/codec.hpp"
#include "shared/misfit.hpp"

/// How the shared types are read from web::json.
template <>
struct shared::JsonTraits<web::json::value> {
  using Value = web::json::value;

  static const Value* find(const Value& object, const char* name) {
    if (!object.is_object()) throw Misfit("not an object");
    const auto& fields = object.as_object();
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }

  static const std::string& text(const Value& value) {
    if (!value.is_string()) throw Misfit("not a text");
    return value.as_string();
  }

  static std::int32_t integer(const Value& value) {
    if (!value.is_integer() || !value.as_number().is_int32()) throw Misfit("not an integer");
    return value.as_integer();
  }

  static void set_text(Value& value, const std::string& text) { value = Value(text); }

  template <class Use>
  static void for_each(const Value& list, Use use) {
    if (!list.is_array()) throw Misfit("not a list");
    for (const Value& each : list.as_array()) use(each);
  }

  static Value object() { return Value::object(); }
  static void set(Value& object, const char* name, Value value) { object[name] = std::move(value); }
};

/// Returns the JSON of a declared type, without optional fields that are empty.
template <class T>
web::json::value write(const T& declared) {
  using web::json::value;
  if constexpr (shared::Described<T>) {
    value object = value::object();
    shared::for_each_value(declared, [&](const char* name, const auto& member) { object[name] = write(member); });
    return object;
  } else if constexpr (shared::is_list<T>) {
    std::vector<value> values;
    values.reserve(declared.size());
    for (const auto& each : declared) values.push_back(write(each));
    return value::array(std::move(values));
  } else if constexpr (std::is_same_v<T, shared::DateTime>) {
    return value(shared::format_date_time(declared));
  } else {
    return value(declared);
  }
}
