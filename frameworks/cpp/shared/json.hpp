#pragma once

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "shared/codec.hpp"
#include "shared/json_reader.hpp"
#include "shared/misfit.hpp"

namespace shared {

/// A plain JSON value that owns its memory.
using json = rapidjson::Document;

template <>
struct JsonTraits<rapidjson::Value> {
  using Value = rapidjson::Value;

  static const Value* find(const Value& object, const char* name) {
    if (!object.IsObject()) throw Misfit("not an object");
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
  }

  static std::string_view text(const Value& value) {
    if (!value.IsString()) throw Misfit("not a text");
    return {value.GetString(), value.GetStringLength()};
  }

  static std::int32_t integer(const Value& value) {
    if (!value.IsInt()) throw Misfit("not an integer");
    return value.GetInt();
  }

  /// Refers to the text, which has to live as long as the value has it.
  static void set_text(Value& value, const std::string& text) {
    value.SetString(rapidjson::StringRef(text.data(), text.size()));
  }

  template <class Use>
  static void for_each(const Value& list, Use use) {
    if (!list.IsArray()) throw Misfit("not a list");
    for (const Value& each : list.GetArray()) use(each);
  }
};

template <>
struct JsonTraits<json> : JsonTraits<rapidjson::Value> {
  static json object() { return json(rapidjson::kObjectType); }

  static void set(json& object, const char* name, const Value& value) {
    auto& memory = object.GetAllocator();
    object.AddMember(rapidjson::StringRef(name), Value(value, memory), memory);
  }
};

/// Returns the value of a JSON text. Throws Misfit where the text is not JSON.
json parse_json(const std::string& text);

/// Returns a declared type from a JSON text. Throws Misfit where it does not fit.
template <class T>
T read(const std::string& text) {
  T value{};
  read_into({&value, &READER<T>}, text);
  return value;
}

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

inline void write_text(JsonWriter& writer, std::string_view text) {
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

/// Writes a declared type, without optional fields that are empty.
template <class T>
void write_value(JsonWriter& writer, const T& value) {
  if constexpr (Described<T>) {
    writer.StartObject();
    for_each_value(value, [&](const char* name, const auto& member) {
      writer.Key(name);
      write_value(writer, member);
    });
    writer.EndObject();
  } else if constexpr (is_list<T>) {
    writer.StartArray();
    for (const auto& each : value) write_value(writer, each);
    writer.EndArray();
  } else if constexpr (std::is_same_v<T, DateTime>) {
    write_text(writer, format_date_time(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    write_text(writer, value);
  } else {
    static_assert(std::is_same_v<T, std::int32_t>);
    writer.Int(value);
  }
}

/// Returns the JSON text of a declared type.
template <class T>
std::string write(const T& value) {
  rapidjson::StringBuffer text;
  JsonWriter writer(text);
  write_value(writer, value);
  return {text.GetString(), text.GetSize()};
}

}  // namespace shared
