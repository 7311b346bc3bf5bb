#include <string>

#include "routes.hpp"
#include "shared/models.hpp"

using shared::TaskIn;

void add_issue_tracker_typed(restbed::Service& service, Source& source) {
  const Handler userinfo = [&source](const Session& session) {
    source.user(session, [=, user_id = id_of(session)](const auto& fetched) {
      const auto user = fetched.typed();
      user->sub += "-" + std::to_string(user_id);
      answer_json(session, shared::write(*user));
    });
  };

  const Handler sprint = [&source](const Session& session) {
    source.sprint(session, [=, sprint_id = id_of(session)](const auto& fetched) {
      const auto board = fetched.typed();
      board->sprint.id = sprint_id;
      answer_json(session, shared::write(*board));
    });
  };

  const Handler create_task = with_body(shared::read<TaskIn>, [&source](const Session& session, const TaskIn& sent) {
    source.task(session, [=, board_id = id_of(session)](const auto& fetched) {
      const auto task = fetched.typed();
      task->board = board_id;
      static_cast<TaskIn&>(*task) = sent;
      answer_json(session, shared::write(*task), restbed::CREATED);
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
