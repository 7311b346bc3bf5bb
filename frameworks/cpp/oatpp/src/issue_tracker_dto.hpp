#pragma once

#include <oatpp/core/Types.hpp>
#include <oatpp/core/macro/codegen.hpp>

#include "date_time.hpp"
#include "shared/models.hpp"

#include OATPP_CODEGEN_BEGIN(DTO)

/// The answer of the routes that are only there to be routed past.
class Part : public oatpp::DTO {
  DTO_INIT(Part, DTO)

  DTO_FIELD(Int32, part);
};

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
  DTO_FIELD(Object<Address>, address);
  DTO_FIELD(String, picture);
};

class Person : public oatpp::DTO {
  DTO_INIT(Person, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(String, picture);
};

class Sprint : public oatpp::DTO {
  DTO_INIT(Sprint, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(DateTime, start);
  DTO_FIELD(DateTime, end);
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
  DTO_FIELD(DateTime, modified_at);
};

class Board : public oatpp::DTO {
  DTO_INIT(Board, DTO)

  DTO_FIELD(Object<Sprint>, sprint);
  DTO_FIELD(Vector<Object<Issue>>, issues);
};

class Project : public oatpp::DTO {
  DTO_INIT(Project, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, key);
  DTO_FIELD(String, name);
};

class TaskStatus : public oatpp::DTO {
  DTO_INIT(TaskStatus, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(String, name);
  DTO_FIELD(String, category);
};

class Activity : public oatpp::DTO {
  DTO_INIT(Activity, DTO)

  DTO_FIELD(Int32, id);
  DTO_FIELD(Object<Person>, author);
  DTO_FIELD(String, kind);
  DTO_FIELD(String, message);
  DTO_FIELD(DateTime, created_at);
};

/// The fields of a task that a client sends.
class TaskIn : public oatpp::DTO {
  DTO_INIT(TaskIn, DTO)

  DTO_FIELD_INFO(summary) { info->required = true; }
  DTO_FIELD(String, summary);

  DTO_FIELD_INFO(description) { info->required = true; }
  DTO_FIELD(String, description);

  DTO_FIELD_INFO(issue_type) { info->required = true; }
  DTO_FIELD(String, issue_type);

  DTO_FIELD_INFO(priority) { info->required = true; }
  DTO_FIELD(String, priority);

  DTO_FIELD_INFO(labels) { info->required = true; }
  DTO_FIELD(Vector<String>, labels);

  DTO_FIELD_INFO(components) { info->required = true; }
  DTO_FIELD(Vector<String>, components);
};

class Task : public TaskIn {
  DTO_INIT(Task, TaskIn)

  DTO_FIELD(Int32, id);
  DTO_FIELD(Object<Person>, author);
  DTO_FIELD(Object<Person>, assigned);
  DTO_FIELD(Object<Project>, project);
  DTO_FIELD(Object<TaskStatus>, status);
  DTO_FIELD(Vector<Object<Activity>>, activity);
  DTO_FIELD(DateTime, created_at);
  DTO_FIELD(Int32, board);
};

#include OATPP_CODEGEN_END(DTO)

/// These return the DTO of a typed row.
oatpp::Object<User> dto_of(const shared::User& user);
oatpp::Object<Board> dto_of(const shared::Board& board);

/// Without the fields that a client sends, and without the board.
oatpp::Object<Task> dto_of(const shared::Task& task);
