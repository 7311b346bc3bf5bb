#include "issue_tracker_dto.hpp"

using oatpp::Object;

namespace {

Object<Person> dto_of(const shared::Person& person) {
  auto dto = Person::createShared();
  dto->id = person.id;
  dto->name = person.name;
  dto->picture = person.picture;
  return dto;
}

Object<Issue> dto_of(const shared::Issue& issue) {
  auto dto = Issue::createShared();
  dto->id = issue.id;
  dto->summary = issue.summary;
  dto->description_short = issue.description_short;
  dto->index = issue.index;
  dto->status_id = issue.status_id;
  dto->story_points = issue.story_points;
  if (issue.assigned) dto->assigned = dto_of(*issue.assigned);
  dto->modified_at = issue.modified_at;
  return dto;
}

Object<Activity> dto_of(const shared::Activity& activity) {
  auto dto = Activity::createShared();
  dto->id = activity.id;
  dto->author = dto_of(activity.author);
  dto->kind = activity.kind;
  dto->message = activity.message;
  dto->created_at = activity.created_at;
  return dto;
}

}  // namespace

Object<User> dto_of(const shared::User& user) {
  auto dto = User::createShared();
  dto->sub = user.sub;
  dto->group_ids = {};
  for (const auto id : user.group_ids) dto->group_ids->emplace_back(id);
  dto->given_name = user.given_name;
  dto->name = user.name;
  dto->email = user.email;
  dto->phone_number = user.phone_number;
  dto->address = Address::createShared();
  dto->address->formatted = user.address.formatted;
  dto->picture = user.picture;
  return dto;
}

Object<Board> dto_of(const shared::Board& board) {
  auto dto = Board::createShared();
  dto->sprint = Sprint::createShared();
  dto->sprint->id = board.sprint.id;
  dto->sprint->name = board.sprint.name;
  dto->sprint->start = board.sprint.start;
  dto->sprint->end = board.sprint.end;
  dto->issues = {};
  for (const auto& issue : board.issues) dto->issues->push_back(dto_of(issue));
  return dto;
}

Object<Task> dto_of(const shared::Task& task) {
  auto dto = Task::createShared();
  dto->id = task.id;
  dto->author = dto_of(task.author);
  dto->assigned = dto_of(task.assigned);
  dto->project = Project::createShared();
  dto->project->id = task.project.id;
  dto->project->key = task.project.key;
  dto->project->name = task.project.name;
  dto->status = TaskStatus::createShared();
  dto->status->id = task.status.id;
  dto->status->name = task.status.name;
  dto->status->category = task.status.category;
  dto->activity = {};
  for (const auto& activity : task.activity) dto->activity->push_back(dto_of(activity));
  dto->created_at = task.created_at;
  return dto;
}
