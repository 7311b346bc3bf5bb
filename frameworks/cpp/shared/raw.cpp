#include "shared/raw.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>

#include "shared/raw_task.hpp"

namespace shared {

namespace {

using rapidjson::Value;

void write_member(JsonWriter& writer, const Value& name, const Value& value) {
  name.Accept(writer);
  value.Accept(writer);
}

/// Writes an object with those members in place of its own, or in addition. To copy a row first would cost more than to
/// write it.
std::string write_with(const json& object, const json& members) {
  rapidjson::StringBuffer text;
  JsonWriter writer(text);
  writer.StartObject();
  for (const auto& [name, value] : object.GetObject()) {
    if (!members.HasMember(name)) write_member(writer, name, value);
  }
  for (const auto& [name, value] : members.GetObject()) write_member(writer, name, value);
  writer.EndObject();
  return {text.GetString(), text.GetSize()};
}

}  // namespace

std::string user_json(const json& row, std::int32_t user_id) {
  json members(rapidjson::kObjectType);
  std::string sub = row["sub"].GetString();
  sub.append("-").append(std::to_string(user_id));
  members.AddMember("sub", rapidjson::StringRef(sub.data(), sub.size()), members.GetAllocator());
  return write_with(row, members);
}

std::string board_json(const json& row, std::int32_t sprint_id) {
  json members(rapidjson::kObjectType);
  auto& memory = members.GetAllocator();
  Value sprint(row["sprint"], memory);
  sprint.AddMember("id", sprint_id, memory);
  members.AddMember("sprint", sprint, memory);
  return write_with(row, members);
}

SharedJson read_task(const std::string& body) { return std::make_shared<json>(task_of(parse_json(body))); }

std::string task_json(const json& row, std::int32_t board_id, json task) {
  task.AddMember("board", board_id, task.GetAllocator());
  return write_with(row, task);
}

}  // namespace shared
