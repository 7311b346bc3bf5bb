#include <string>

#include "routes.hpp"
#include "shared/raw.hpp"

using shared::json;

void add_issue_tracker_raw(restbed::Service& service, Source& source) {
  const Handler userinfo = [&source](const Session& session) {
    source.user(session, [=, user_id = id_of(session)](const auto& fetched) {
      const auto user = fetched.plain();
      (*user)["sub"].template get_ref<std::string&>() += "-" + std::to_string(user_id);
      answer_json(session, user->dump());
    });
  };

  const Handler sprint = [&source](const Session& session) {
    source.sprint(session, [=, sprint_id = id_of(session)](const auto& fetched) {
      const auto board = fetched.plain();
      (*board)["sprint"]["id"] = sprint_id;
      answer_json(session, board->dump());
    });
  };

  const Handler create_task = with_body(shared::read_task, [&source](const Session& session, const json& sent) {
    source.task(session, [=, board_id = id_of(session)](const auto& fetched) {
      const auto task = fetched.plain();
      (*task)["board"] = board_id;
      task->update(sent);
      answer_json(session, task->dump(), restbed::CREATED);
    });
  });

  const Handler update_task = with_body(shared::read_task, [&source](const Session& session, const json& task) {
    id_of(session);
    source.save_task(session, task, [=] { answer_nothing(session); });
  });

  publish(service, "/api/v1/userinfo/raw/{id: [0-9]+}", {{"GET", userinfo}});
  publish(service, "/api/v1/sprint/raw/{id: [0-9]+}", {{"GET", sprint}});
  publish(service, "/api/v1/board/raw/{id: [0-9]+}/task", {{"POST", create_task}, {"PUT", update_task}});
}
