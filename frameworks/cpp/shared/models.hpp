#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "shared/codec.hpp"

/// The issue tracker's types, and how each answer is built from a row of the data source.
namespace shared {

/// The answer of the routes that are only there to be routed past.
struct Part {
  std::int32_t part;

  static constexpr auto fields = std::tuple{Field{"part", &Part::part}};
};

struct Address {
  std::string formatted;

  static constexpr auto fields = std::tuple{Field{"formatted", &Address::formatted}};
};

struct User {
  std::string sub;
  std::vector<std::int32_t> group_ids;
  std::string given_name;
  std::string name;
  std::string email;
  std::string phone_number;
  Address address;
  std::string picture;

  static constexpr auto fields = std::tuple{
      Field{"sub", &User::sub},
      Field{"group_ids", &User::group_ids},
      Field{"given_name", &User::given_name},
      Field{"name", &User::name},
      Field{"email", &User::email},
      Field{"phone_number", &User::phone_number},
      Field{"address", &User::address},
      Field{"picture", &User::picture},
  };

  template <class Row>
  static User from_row(const Row& row, std::int32_t user_id) {
    auto user = decode<User>(row);
    user.sub.append("-").append(std::to_string(user_id));
    return user;
  }
};

struct Person {
  std::int32_t id;
  std::string name;
  std::string picture;

  static constexpr auto fields =
      std::tuple{Field{"id", &Person::id}, Field{"name", &Person::name}, Field{"picture", &Person::picture}};
};

/// A sprint as the data source has it.
struct SprintRow {
  std::string name;
  DateTime start;
  DateTime end;

  static constexpr auto fields =
      std::tuple{Field{"name", &SprintRow::name}, Field{"start", &SprintRow::start}, Field{"end", &SprintRow::end}};
};

struct Sprint : SprintRow {
  std::int32_t id;

  static constexpr auto fields = std::tuple_cat(SprintRow::fields, std::tuple{Field{"id", &Sprint::id}});
};

struct Issue {
  std::int32_t id;
  std::string summary;
  std::string description_short;
  std::int32_t index;
  std::int32_t status_id;
  std::int32_t story_points;
  std::optional<Person> assigned;
  DateTime modified_at;

  static constexpr auto fields = std::tuple{
      Field{"id", &Issue::id},
      Field{"summary", &Issue::summary},
      Field{"description_short", &Issue::description_short},
      Field{"index", &Issue::index},
      Field{"status_id", &Issue::status_id},
      Field{"story_points", &Issue::story_points},
      Field{"assigned", &Issue::assigned},
      Field{"modified_at", &Issue::modified_at},
  };
};

struct BoardRow {
  SprintRow sprint;
  std::vector<Issue> issues;

  static constexpr auto fields = std::tuple{Field{"sprint", &BoardRow::sprint}, Field{"issues", &BoardRow::issues}};
};

/// A sprint with its issues.
struct Board {
  Sprint sprint;
  std::vector<Issue> issues;

  static constexpr auto fields = std::tuple{Field{"sprint", &Board::sprint}, Field{"issues", &Board::issues}};

  template <class Row>
  static Board from_row(const Row& row, std::int32_t sprint_id) {
    auto [sprint, issues] = decode<BoardRow>(row);
    return {{std::move(sprint), sprint_id}, std::move(issues)};
  }
};

struct Project {
  std::int32_t id;
  std::string key;
  std::string name;

  static constexpr auto fields =
      std::tuple{Field{"id", &Project::id}, Field{"key", &Project::key}, Field{"name", &Project::name}};
};

struct Status {
  std::int32_t id;
  std::string name;
  std::string category;

  static constexpr auto fields =
      std::tuple{Field{"id", &Status::id}, Field{"name", &Status::name}, Field{"category", &Status::category}};
};

struct Activity {
  std::int32_t id;
  Person author;
  std::string kind;
  std::string message;
  DateTime created_at;

  static constexpr auto fields = std::tuple{
      Field{"id", &Activity::id},           Field{"author", &Activity::author},         Field{"kind", &Activity::kind},
      Field{"message", &Activity::message}, Field{"created_at", &Activity::created_at},
  };
};

/// The fields of a task that a client sends.
struct TaskIn {
  std::string summary;
  std::string description;
  std::string issue_type;
  std::string priority;
  std::vector<std::string> labels;
  std::vector<std::string> components;

  static constexpr auto fields = std::tuple{
      Field{"summary", &TaskIn::summary},       Field{"description", &TaskIn::description},
      Field{"issue_type", &TaskIn::issue_type}, Field{"priority", &TaskIn::priority},
      Field{"labels", &TaskIn::labels},         Field{"components", &TaskIn::components},
  };
};

/// The fields of a task that the tracker sets.
struct TaskRow {
  std::int32_t id;
  Person author;
  Person assigned;
  Project project;
  Status status;
  std::vector<Activity> activity;
  DateTime created_at;

  static constexpr auto fields = std::tuple{
      Field{"id", &TaskRow::id},
      Field{"author", &TaskRow::author},
      Field{"assigned", &TaskRow::assigned},
      Field{"project", &TaskRow::project},
      Field{"status", &TaskRow::status},
      Field{"activity", &TaskRow::activity},
      Field{"created_at", &TaskRow::created_at},
  };
};

struct Task : TaskRow, TaskIn {
  std::int32_t board;

  static constexpr auto fields =
      std::tuple_cat(TaskRow::fields, TaskIn::fields, std::tuple{Field{"board", &Task::board}});

  template <class Row>
  static Task from_row(const Row& row, std::int32_t board_id, TaskIn task) {
    return {decode<TaskRow>(row), std::move(task), board_id};
  }
};

}  // namespace shared
