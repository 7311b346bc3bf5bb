#include <string>

#include "routes.hpp"
#include "shared/raw.hpp"

using shared::json;

void add_issue_tracker_raw(Router& router, Source& source) {
  router.http_get(routing::path_to_params("/api/v1/userinfo/raw/", id()),
                  [&source](const Request& request, std::int32_t user_id) {
                    source.user([=](const auto& fetched) {
                      const auto user = fetched.plain();
                      (*user)["sub"].template get_ref<std::string&>() += "-" + std::to_string(user_id);
                      answer_json(request, user->dump());
                    });
                    return restinio::request_accepted();
                  });

  router.http_get(routing::path_to_params("/api/v1/sprint/raw/", id()),
                  [&source](const Request& request, std::int32_t sprint_id) {
                    source.sprint([=](const auto& fetched) {
                      const auto board = fetched.plain();
                      (*board)["sprint"]["id"] = sprint_id;
                      answer_json(request, board->dump());
                    });
                    return restinio::request_accepted();
                  });

  router.http_post(
      routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
      with_body(shared::read_task, [&source](const Request& request, std::int32_t board_id, const json& sent) {
        source.task([=](const auto& fetched) {
          const auto task = fetched.plain();
          (*task)["board"] = board_id;
          task->update(sent);
          answer_json(request, task->dump(), restinio::status_created());
        });
        return restinio::request_accepted();
      }));

  router.http_put(routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
                  with_body(shared::read_task, [&source](const Request& request, std::int32_t, const json& task) {
                    source.save_task(task, [=] { answer_nothing(request); });
                    return restinio::request_accepted();
                  }));
}
