#pragma once

#include "controller.hpp"
#include "issue_tracker_dto.hpp"
#include "shared/blocking_source.hpp"
#include "shared/raw.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class IssueTracker : public Controller {
  shared::BlockingSource<shared::json> source_{shared::parse_json};

 public:
  ENDPOINT("GET", "/route-get-0/{part}", get_part, PATH(Int32, part)) { return json({{"part", *part}}); }

  /// Adds the routes that are only there to be routed past. ENDPOINT cannot make paths in a loop.
  void add_parts(oatpp::web::server::HttpRouter& router) {
    const auto handler = getEndpointHandler("get_part");
    for (int number = 0; number < 10; ++number) {
      const auto rest = std::to_string(number) + "/{part}";
      router.route("GET", "/route-get-" + rest, handler);
      router.route("POST", "/route-post-" + rest, handler);
      router.route("PUT", "/route-put-" + rest, handler);
    }
  }

  ENDPOINT("GET", "/api/v1/userinfo/raw/{id}", userinfo_raw, PATH(Int32, id)) {
    const auto user = source_.user().plain();
    (*user)["sub"].get_ref<std::string&>() += "-" + std::to_string(*id);
    return json(*user);
  }

  ENDPOINT("GET", "/api/v1/sprint/raw/{id}", sprint_raw, PATH(Int32, id)) {
    const auto board = source_.sprint().plain();
    (*board)["sprint"]["id"] = *id;
    return json(*board);
  }

  ENDPOINT("POST", "/api/v1/board/raw/{id}/task", create_task_raw, PATH(Int32, id), BODY_STRING(String, body)) {
    const auto sent = shared::read_task(*body);
    const auto task = source_.task().plain();
    (*task)["board"] = *id;
    task->update(sent);
    return json(*task, Status::CODE_201);
  }

  ENDPOINT("PUT", "/api/v1/board/raw/{id}/task", update_task_raw, PATH(Int32, id), BODY_STRING(String, body)) {
    source_.save_task(shared::read_task(*body));
    return createResponse(Status::CODE_204, "");
  }

  ENDPOINT("GET", "/api/v1/userinfo/typed/{id}", userinfo, PATH(Int32, id)) {
    const auto user = source_.user().typed();
    user->sub += "-" + std::to_string(*id);
    return createDtoResponse(Status::CODE_200, Object<User>(std::make_shared<User>(*user)));
  }

  ENDPOINT("GET", "/api/v1/sprint/typed/{id}", sprint, PATH(Int32, id)) {
    const auto board = source_.sprint().typed();
    board->sprint.id = id;
    return createDtoResponse(Status::CODE_200, Object<Board>(std::make_shared<Board>(*board)));
  }

  ENDPOINT("POST", "/api/v1/board/typed/{id}/task", create_task, PATH(Int32, id), BODY_STRING(String, body)) {
    const auto sent = read<TaskIn>(body);
    const Object<Task> task = std::make_shared<Task>(*source_.task().typed());
    task->board = id;
    task->summary = sent->summary;
    task->description = sent->description;
    task->issue_type = sent->issue_type;
    task->priority = sent->priority;
    task->labels = sent->labels;
    task->components = sent->components;
    return createDtoResponse(Status::CODE_201, task);
  }

  ENDPOINT("PUT", "/api/v1/board/typed/{id}/task", update_task, PATH(Int32, id), BODY_STRING(String, body)) {
    source_.save_task(read<TaskIn>(body));
    return createResponse(Status::CODE_204, "");
  }
};

#include OATPP_CODEGEN_END(ApiController)
