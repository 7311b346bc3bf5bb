#include "json_types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "shared/misfit.hpp"

using web::json::value;

namespace {

value as_json(std::int32_t number) { return value(number); }

value as_json(const std::string& text) { return value(text); }

value as_json(shared::DateTime time) { return value(shared::format_date_time(time)); }

value as_json(const shared::Address& address) {
  auto json = value::object();
  json["formatted"] = value(address.formatted);
  return json;
}

value as_json(const shared::Person& person) {
  auto json = value::object();
  json["id"] = value(person.id);
  json["name"] = value(person.name);
  json["picture"] = value(person.picture);
  return json;
}

value as_json(const shared::Project& project) {
  auto json = value::object();
  json["id"] = value(project.id);
  json["key"] = value(project.key);
  json["name"] = value(project.name);
  return json;
}

value as_json(const shared::Status& status) {
  auto json = value::object();
  json["id"] = value(status.id);
  json["name"] = value(status.name);
  json["category"] = value(status.category);
  return json;
}

value as_json(const shared::Sprint& sprint) {
  auto json = value::object();
  json["id"] = value(sprint.id);
  json["name"] = value(sprint.name);
  json["start"] = as_json(sprint.start);
  json["end"] = as_json(sprint.end);
  return json;
}

value as_json(const shared::Issue& issue) {
  auto json = value::object();
  json["id"] = value(issue.id);
  json["summary"] = value(issue.summary);
  json["description_short"] = value(issue.description_short);
  json["index"] = value(issue.index);
  json["status_id"] = value(issue.status_id);
  json["story_points"] = value(issue.story_points);
  if (issue.assigned) json["assigned"] = as_json(*issue.assigned);
  json["modified_at"] = as_json(issue.modified_at);
  return json;
}

value as_json(const shared::Activity& activity) {
  auto json = value::object();
  json["id"] = value(activity.id);
  json["author"] = as_json(activity.author);
  json["kind"] = value(activity.kind);
  json["message"] = value(activity.message);
  json["created_at"] = as_json(activity.created_at);
  return json;
}

value as_json(const shared::Child& child) {
  auto json = value::object();
  json["id"] = value(child.id);
  if (child.name) json["name"] = value(*child.name);
  if (child.number) json["number"] = value(*child.number);
  return json;
}

value as_json(const shared::Document& document);

template <class T>
value as_list(const std::vector<T>& list) {
  std::vector<value> values;
  values.reserve(list.size());
  for (const auto& each : list) values.push_back(as_json(each));
  return value::array(std::move(values));
}

value as_json(const shared::Document& document) {
  auto json = value::object();
  json["id"] = value(document.id);
  json["document_type"] = value(document.document_type);
  if (document.string_array) json["string_array"] = as_list(*document.string_array);
  if (document.int_array) json["int_array"] = as_list(*document.int_array);
  if (document.child_objects) json["child_objects"] = as_list(*document.child_objects);
  return json;
}

void from_json(const value& json, std::string& text) { text = json.as_string(); }

/// as_integer() cuts fractions and long integers.
void from_json(const value& json, std::int32_t& number) {
  if (!json.is_integer() || !json.as_number().is_int32()) throw shared::Misfit("no integer of 32 bits");
  number = json.as_integer();
}

void from_json(const value& json, shared::Child& child);
void from_json(const value& json, shared::Document& document);

template <class T>
void read_list(const value& json, std::vector<T>& list) {
  for (const auto& each : json.as_array()) from_json(each, list.emplace_back());
}

template <class T>
void read_optional(const value& json, const std::string& name, std::optional<T>& read) {
  if (json.has_field(name)) from_json(json.at(name), read.emplace());
}

template <class T>
void read_optional(const value& json, const std::string& name, std::optional<std::vector<T>>& read) {
  if (json.has_field(name)) read_list(json.at(name), read.emplace());
}

void from_json(const value& json, shared::Child& child) {
  from_json(json.at("id"), child.id);
  read_optional(json, "name", child.name);
  read_optional(json, "number", child.number);
}

void from_json(const value& json, shared::Document& document) {
  from_json(json.at("id"), document.id);
  from_json(json.at("document_type"), document.document_type);
  read_optional(json, "string_array", document.string_array);
  read_optional(json, "int_array", document.int_array);
  read_optional(json, "child_objects", document.child_objects);
}

}  // namespace

value as_json(const shared::User& user) {
  auto json = value::object();
  json["sub"] = value(user.sub);
  json["group_ids"] = as_list(user.group_ids);
  json["given_name"] = value(user.given_name);
  json["name"] = value(user.name);
  json["email"] = value(user.email);
  json["phone_number"] = value(user.phone_number);
  json["address"] = as_json(user.address);
  json["picture"] = value(user.picture);
  return json;
}

value as_json(const shared::Board& board) {
  auto json = value::object();
  json["sprint"] = as_json(board.sprint);
  json["issues"] = as_list(board.issues);
  return json;
}

value as_json(const shared::Task& task) {
  auto json = value::object();
  json["id"] = value(task.id);
  json["board"] = value(task.board);
  json["author"] = as_json(task.author);
  json["assigned"] = as_json(task.assigned);
  json["project"] = as_json(task.project);
  json["status"] = as_json(task.status);
  json["activity"] = as_list(task.activity);
  json["created_at"] = as_json(task.created_at);
  json["summary"] = value(task.summary);
  json["description"] = value(task.description);
  json["issue_type"] = value(task.issue_type);
  json["priority"] = value(task.priority);
  json["labels"] = as_list(task.labels);
  json["components"] = as_list(task.components);
  return json;
}

value as_json(const shared::Payload& payload) {
  auto json = value::object();
  json["payload"] = value(payload.payload);
  return json;
}

value as_json(const std::vector<shared::Document>& documents) { return as_list(documents); }

void from_json(const value& json, shared::TaskIn& task) {
  from_json(json.at("summary"), task.summary);
  from_json(json.at("description"), task.description);
  from_json(json.at("issue_type"), task.issue_type);
  from_json(json.at("priority"), task.priority);
  read_list(json.at("labels"), task.labels);
  read_list(json.at("components"), task.components);
}

void from_json(const value& json, shared::Payload& payload) { from_json(json.at("payload"), payload.payload); }

void from_json(const value& json, std::vector<shared::Document>& documents) { read_list(json, documents); }
