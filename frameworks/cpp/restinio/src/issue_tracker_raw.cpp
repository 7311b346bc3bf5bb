#include "routes.hpp"
#include "shared/raw.hpp"

using shared::json;

void add_issue_tracker_raw(Router& router, Source& source) {
  router.http_get(
      routing::path_to_params("/api/v1/userinfo/raw/", id()), [&source](const Request& request, std::int32_t user_id) {
        source.user([=](const auto& fetched) { answer_json(request, shared::user_json(*fetched.plain(), user_id)); });
        return restinio::request_accepted();
      });

  router.http_get(routing::path_to_params("/api/v1/sprint/raw/", id()), [&source](const Request& request,
                                                                                  std::int32_t sprint_id) {
    source.sprint([=](const auto& fetched) { answer_json(request, shared::board_json(*fetched.plain(), sprint_id)); });
    return restinio::request_accepted();
  });

  router.http_post(
      routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
      with_body(shared::read_task, [&source](const Request& request, std::int32_t board_id, const json& task) {
        source.task([=](const auto& fetched) {
          answer_json(request, shared::task_json(*fetched.plain(), board_id, task), restinio::status_created());
        });
        return restinio::request_accepted();
      }));

  router.http_put(routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
                  with_body(shared::read_task, [&source](const Request& request, std::int32_t, const json& task) {
                    source.save_task(task, [=] { answer_nothing(request); });
                    return restinio::request_accepted();
                  }));
}
