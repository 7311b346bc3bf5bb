#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>

#include "controller.hpp"
#include "shared/raw.hpp"
#include "source.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class IssueTrackerRaw : public Controller {
  using __ControllerType = IssueTrackerRaw;

 public:
  explicit IssueTrackerRaw(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper),
                           OATPP_COMPONENT(std::shared_ptr<Source>, source))
      : Controller(mapper), source_(source) {}

  ENDPOINT_ASYNC("GET", "/api/v1/userinfo/raw/{id}", GetUserRaw) {
    ENDPOINT_ASYNC_INIT(GetUserRaw)

    Action answer() override {
      user_id_ = integer_of_path("id");
      return controller->source_->user().callbackTo(&GetUserRaw::on_fetched);
    }

    Action on_fetched(const Source::User& fetched) {
      return _return(controller->json(shared::user_json(*fetched.plain(), user_id_)));
    }

   private:
    std::int32_t user_id_ = 0;
  };

  ENDPOINT_ASYNC("GET", "/api/v1/sprint/raw/{id}", GetSprintRaw) {
    ENDPOINT_ASYNC_INIT(GetSprintRaw)

    Action answer() override {
      sprint_id_ = integer_of_path("id");
      return controller->source_->sprint().callbackTo(&GetSprintRaw::on_fetched);
    }

    Action on_fetched(const Source::Sprint& fetched) {
      return _return(controller->json(shared::board_json(*fetched.plain(), sprint_id_)));
    }

   private:
    std::int32_t sprint_id_ = 0;
  };

  ENDPOINT_ASYNC("POST", "/api/v1/board/raw/{id}/task", CreateTaskRaw) {
    ENDPOINT_ASYNC_INIT(CreateTaskRaw)

    Action answer() override {
      board_id_ = integer_of_path("id");
      task_ = shared::read_task(body());
      return controller->source_->task().callbackTo(&CreateTaskRaw::on_fetched);
    }

    Action on_fetched(const Source::Task& fetched) {
      return _return(controller->json(shared::task_json(*fetched.plain(), board_id_, task_), Status::CODE_201));
    }

   private:
    std::int32_t board_id_ = 0;
    shared::json task_;
  };

  ENDPOINT_ASYNC("PUT", "/api/v1/board/raw/{id}/task", UpdateTaskRaw) {
    ENDPOINT_ASYNC_INIT(UpdateTaskRaw)

    Action answer() override {
      integer_of_path("id");  // throws where it is none
      task_ = shared::read_task(body());
      return controller->source_->save_task(task_).callbackTo(&UpdateTaskRaw::on_saved);
    }

    Action on_saved(const Over&) { return _return(controller->nothing()); }

   private:
    shared::json task_;
  };

 private:
  const std::shared_ptr<Source> source_;
};

#include OATPP_CODEGEN_END(ApiController)
