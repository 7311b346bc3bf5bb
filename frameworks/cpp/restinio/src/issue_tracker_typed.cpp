#include <string>
#include <utility>

#include "routes.hpp"
#include "shared/models.hpp"

using shared::TaskIn;

void add_issue_tracker_typed(Router& router, Source& source) {
  router.http_get(routing::path_to_params("/api/v1/userinfo/typed/", id()),
                  [&source](const Request& request, std::int32_t user_id) {
                    source.user([=](const auto& fetched) {
                      const auto user = fetched.typed();
                      user->sub += "-" + std::to_string(user_id);
                      answer_json(request, shared::write(*user));
                    });
                    return restinio::request_accepted();
                  });

  router.http_get(routing::path_to_params("/api/v1/sprint/typed/", id()),
                  [&source](const Request& request, std::int32_t sprint_id) {
                    source.sprint([=](const auto& fetched) {
                      const auto board = fetched.typed();
                      board->sprint.id = sprint_id;
                      answer_json(request, shared::write(*board));
                    });
                    return restinio::request_accepted();
                  });

  router.http_post(
      routing::path_to_params("/api/v1/board/typed/", id(), "/task"),
      with_body(shared::read<TaskIn>, [&source](const Request& request, std::int32_t board_id, TaskIn sent) {
        source.task([=, sent = std::move(sent)](const auto& fetched) {
          const auto task = fetched.typed();
          task->board = board_id;
          static_cast<TaskIn&>(*task) = sent;
          answer_json(request, shared::write(*task), restinio::status_created());
        });
        return restinio::request_accepted();
      }));

  router.http_put(routing::path_to_params("/api/v1/board/typed/", id(), "/task"),
                  with_body(shared::read<TaskIn>, [&source](const Request& request, std::int32_t, const TaskIn& task) {
                    source.save_task(task, [=] { answer_nothing(request); });
                    return restinio::request_accepted();
                  }));
}
