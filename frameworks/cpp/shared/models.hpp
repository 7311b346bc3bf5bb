#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shared/json.hpp"

/// The issue tracker's types. The entry sets what a row does not have.
namespace shared {

/// The answer of the routes that are only there to be routed past.
struct Part {
  std::int32_t part;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Part, part)

struct Address {
  std::string formatted;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Address, formatted)

struct User {
  std::string sub;
  std::vector<std::int32_t> group_ids;
  std::string given_name;
  std::string name;
  std::string email;
  std::string phone_number;
  Address address;
  std::string picture;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(User, sub, group_ids, given_name, name, email, phone_number, address, picture)

struct Person {
  std::int32_t id;
  std::string name;
  std::string picture;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Person, id, name, picture)

struct SprintRow {
  std::string name;
  DateTime start;
  DateTime end;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SprintRow, name, start, end)

struct Sprint : SprintRow {
  std::int32_t id = 0;
};

inline void to_json(json& answer, const Sprint& sprint) {
  to_json(answer, static_cast<const SprintRow&>(sprint));
  answer["id"] = sprint.id;
}

struct Issue {
  std::int32_t id;
  std::string summary;
  std::string description_short;
  std::int32_t index;
  std::int32_t status_id;
  std::int32_t story_points;
  std::optional<Person> assigned;
  DateTime modified_at;
};

inline void from_json(const json& row, Issue& issue) {
  row.at("id").get_to(issue.id);
  row.at("summary").get_to(issue.summary);
  row.at("description_short").get_to(issue.description_short);
  row.at("index").get_to(issue.index);
  row.at("status_id").get_to(issue.status_id);
  row.at("story_points").get_to(issue.story_points);
  read_optional(row, "assigned", issue.assigned);
  row.at("modified_at").get_to(issue.modified_at);
}

inline void to_json(json& answer, const Issue& issue) {
  answer["id"] = issue.id;
  answer["summary"] = issue.summary;
  answer["description_short"] = issue.description_short;
  answer["index"] = issue.index;
  answer["status_id"] = issue.status_id;
  answer["story_points"] = issue.story_points;
  write_optional(answer, "assigned", issue.assigned);
  answer["modified_at"] = issue.modified_at;
}

/// A sprint with its issues.
struct Board {
  Sprint sprint;
  std::vector<Issue> issues;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Board, sprint, issues)

struct Project {
  std::int32_t id;
  std::string key;
  std::string name;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Project, id, key, name)

struct Status {
  std::int32_t id;
  std::string name;
  std::string category;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Status, id, name, category)

struct Activity {
  std::int32_t id;
  Person author;
  std::string kind;
  std::string message;
  DateTime created_at;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Activity, id, author, kind, message, created_at)

/// The fields of a task that a client sends.
inline constexpr std::array TASK_FIELDS{"summary", "description", "issue_type", "priority", "labels", "components"};

struct TaskIn {
  std::string summary;
  std::string description;
  std::string issue_type;
  std::string priority;
  std::vector<std::string> labels;
  std::vector<std::string> components;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskIn, summary, description, issue_type, priority, labels, components)

/// The fields of a task that the tracker sets.
struct TaskRow {
  std::int32_t id;
  Person author;
  Person assigned;
  Project project;
  Status status;
  std::vector<Activity> activity;
  DateTime created_at;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskRow, id, author, assigned, project, status, activity, created_at)

struct Task : TaskRow, TaskIn {
  std::int32_t board = 0;
};

inline void from_json(const json& row, Task& task) { from_json(row, static_cast<TaskRow&>(task)); }

inline void to_json(json& answer, const Task& task) {
  to_json(answer, static_cast<const TaskRow&>(task));
  to_json(answer, static_cast<const TaskIn&>(task));
  answer["board"] = task.board;
}

}  // namespace shared
