#pragma once

#include <memory>
#include <oatpp/core/Types.hpp>
#include <oatpp/core/macro/codegen.hpp>

#include "shared/models.hpp"

using shared::format_date_time;

// The DTO of an answer is made of a typed row, with std::make_shared(): createShared() would copy the row first.

#include OATPP_CODEGEN_BEGIN(DTO)

class Address : public oatpp::DTO {
  DTO_INIT(Address, DTO)

  DTO_FIELD(String, formatted);
};

class User : public oatpp::DTO {
  DTO_INIT(User, DTO)

  DTO_FIELD(String, sub);
  DTO_FIELD(Vector<Int32>, group_ids);
  DTO_FIELD(String, given_name);
  DTO_FIELD(String, name);
  DTO_FIELD(String, email);
  DTO_FIELD(String, phone_number);
  DTO_FIELD(Object<Address>, address) = Address::createShared();
  DTO_FIELD(String, picture);

  User() = default;
  explicit User(const shared::User& row)
      : sub(row.sub),
        group_ids(std::make_shared<std::vector<Int32>>(row.group_ids.begin(), row.group_ids.end())),
        given_name(row.given_name),
        name(row.name),
        email(row.email),
        phone_number(row.phone_number),
        picture(row.picture) {
    address->formatted = row.address.formatted;
  }
};

class Person : public oatpp::DTO {
  DTO_INIT(Person, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(String, picture);

  Person() = default;
  explicit Person(const shared::Person& row) : id(row.id), name(row.name), picture(row.picture) {}
};

class Sprint : public oatpp::DTO {
  DTO_INIT(Sprint, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(String, start);
  DTO_FIELD(String, end);

  Sprint() = default;
  explicit Sprint(const shared::Sprint& row)
      : id(row.id), name(row.name), start(format_date_time(row.start)), end(format_date_time(row.end)) {}
};

class Issue : public oatpp::DTO {
  DTO_INIT(Issue, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, summary);
  DTO_FIELD(String, description_short);
  DTO_FIELD(Int32, index);
  DTO_FIELD(Int32, status_id);
  DTO_FIELD(Int32, story_points);
  DTO_FIELD(Object<Person>, assigned);
  DTO_FIELD(String, modified_at);

  Issue() = default;
  explicit Issue(const shared::Issue& row)
      : id(row.id),
        summary(row.summary),
        description_short(row.description_short),
        index(row.index),
        status_id(row.status_id),
        story_points(row.story_points),
        assigned(row.assigned ? std::make_shared<Person>(*row.assigned) : nullptr),
        modified_at(format_date_time(row.modified_at)) {}
};

class Board : public oatpp::DTO {
  DTO_INIT(Board, DTO)

  DTO_FIELD(Object<Sprint>, sprint);
  DTO_FIELD(Vector<Object<Issue>>, issues) = {};

  Board() = default;
  explicit Board(const shared::Board& row) : sprint(std::make_shared<Sprint>(row.sprint)) {
    for (const auto& issue : row.issues) issues->push_back(std::make_shared<Issue>(issue));
  }
};

class Project : public oatpp::DTO {
  DTO_INIT(Project, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, key);
  DTO_FIELD(String, name);

  Project() = default;
  explicit Project(const shared::Project& row) : id(row.id), key(row.key), name(row.name) {}
};

class TaskStatus : public oatpp::DTO {
  DTO_INIT(TaskStatus, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(String, category);

  TaskStatus() = default;
  explicit TaskStatus(const shared::Status& row) : id(row.id), name(row.name), category(row.category) {}
};

class Activity : public oatpp::DTO {
  DTO_INIT(Activity, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(Object<Person>, author);
  DTO_FIELD(String, kind);
  DTO_FIELD(String, message);
  DTO_FIELD(String, created_at);

  Activity() = default;
  explicit Activity(const shared::Activity& row)
      : id(row.id),
        author(std::make_shared<Person>(row.author)),
        kind(row.kind),
        message(row.message),
        created_at(format_date_time(row.created_at)) {}
};

/// The fields of a task that a client sends.
class TaskIn : public oatpp::DTO {
  DTO_INIT(TaskIn, DTO)

  DTO_FIELD(String, summary);
  DTO_FIELD(String, description);
  DTO_FIELD(String, issue_type);
  DTO_FIELD(String, priority);
  DTO_FIELD(Vector<String>, labels);
  DTO_FIELD(Vector<String>, components);
};

/// The row of a task has all of its fields but the board, and those that a client sends.
class Task : public TaskIn {
  DTO_INIT(Task, TaskIn)

  DTO_FIELD(Int32, id);
  DTO_FIELD(Object<Person>, author);
  DTO_FIELD(Object<Person>, assigned);
  DTO_FIELD(Object<Project>, project);
  DTO_FIELD(Object<TaskStatus>, status);
  DTO_FIELD(Vector<Object<Activity>>, activity) = {};
  DTO_FIELD(String, created_at);
  DTO_FIELD(Int32, board);

  Task() = default;
  explicit Task(const shared::Task& row)
      : id(row.id),
        author(std::make_shared<Person>(row.author)),
        assigned(std::make_shared<Person>(row.assigned)),
        project(std::make_shared<Project>(row.project)),
        status(std::make_shared<TaskStatus>(row.status)),
        created_at(format_date_time(row.created_at)) {
    for (const auto& each : row.activity) activity->push_back(std::make_shared<Activity>(each));
  }
};

#include OATPP_CODEGEN_END(DTO)
