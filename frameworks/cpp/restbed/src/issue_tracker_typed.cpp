#include "routes.hpp"
#include "shared/models.hpp"

using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;

void add_issue_tracker_typed(restbed::Service& service, Source& source) {
  const Handler userinfo = [&source](const Session& session) {
    source.user(session, [=, user_id = id_of(session)](const Source::Fetched& fetched) {
      answer_json(session, shared::write(User::from_row(*fetched.row(), user_id)));
    });
  };

  const Handler sprint = [&source](const Session& session) {
    source.sprint(session, [=, sprint_id = id_of(session)](const Source::Fetched& fetched) {
      answer_json(session, shared::write(Board::from_row(*fetched.row(), sprint_id)));
    });
  };

  const Handler create_task = with_body(shared::read<TaskIn>, [&source](const Session& session, const TaskIn& task) {
    source.task(session, [=, board_id = id_of(session)](const Source::Fetched& fetched) {
      answer_json(session, shared::write(Task::from_row(*fetched.row(), board_id, task)), restbed::CREATED);
    });
  });

  const Handler update_task = with_body(shared::read<TaskIn>, [&source](const Session& session, const TaskIn& task) {
    id_of(session);
    source.save_task(session, task, [=] { answer_nothing(session); });
  });

  publish(service, "/api/v1/userinfo/typed/{id: [0-9]+}", {{"GET", userinfo}});
  publish(service, "/api/v1/sprint/typed/{id: [0-9]+}", {{"GET", sprint}});
  publish(service, "/api/v1/board/typed/{id: [0-9]+}/task", {{"POST", create_task}, {"PUT", update_task}});
}
