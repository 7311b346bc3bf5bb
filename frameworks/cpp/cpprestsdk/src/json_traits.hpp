#pragma once

#include <cpprest/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shared/codec.hpp"
#include "shared/misfit.hpp"

/// How the shared types are read from web::json, and written as it.
template <>
struct shared::JsonTraits<web::json::value> {
  using json = web::json::value;

  static const json* find(const json& object, const char* name) {
    if (!object.is_object()) throw Misfit("not an object");
    const auto& fields = object.as_object();
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }

  static const std::string& text(const json& value) {
    if (!value.is_string()) throw Misfit("not a text");
    return value.as_string();
  }

  static std::int32_t integer(const json& value) {
    if (!value.is_integer() || !value.as_number().is_int32()) throw Misfit("not an integer");
    return value.as_integer();
  }

  template <class Use>
  static void for_each(const json& list, Use use) {
    if (!list.is_array()) throw Misfit("not a list");
    for (const json& each : list.as_array()) use(each);
  }

  static json object() { return json::object(); }
  static void set(json& object, const char* name, json value) { object[name] = std::move(value); }
  static json array(std::vector<json> values) { return json::array(std::move(values)); }
};
