#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>
#include <string>

#include "controller.hpp"
#include "dto.hpp"
#include "issue_tracker_dto.hpp"
#include "source.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class IssueTrackerTyped : public Controller {
  using __ControllerType = IssueTrackerTyped;

 public:
  explicit IssueTrackerTyped(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper),
                             OATPP_COMPONENT(std::shared_ptr<Source>, source))
      : Controller(mapper), source_(source) {}

  ENDPOINT_ASYNC("GET", "/api/v1/userinfo/typed/{id}", GetUserTyped) {
    ENDPOINT_ASYNC_INIT(GetUserTyped)

    Action answer() override {
      user_id_ = integer_of_path("id");
      return controller->source_->user().callbackTo(&GetUserTyped::on_fetched);
    }

    Action on_fetched(const Source::User& fetched) {
      const auto user = fetched.typed();
      user->sub += "-" + std::to_string(user_id_);
      return _return(controller->dto(dto_of(*user)));
    }

   private:
    std::int32_t user_id_ = 0;
  };

  ENDPOINT_ASYNC("GET", "/api/v1/sprint/typed/{id}", GetSprintTyped) {
    ENDPOINT_ASYNC_INIT(GetSprintTyped)

    Action answer() override {
      sprint_id_ = integer_of_path("id");
      return controller->source_->sprint().callbackTo(&GetSprintTyped::on_fetched);
    }

    Action on_fetched(const Source::Sprint& fetched) {
      const auto board = fetched.typed();
      board->sprint.id = sprint_id_;
      return _return(controller->dto(dto_of(*board)));
    }

   private:
    std::int32_t sprint_id_ = 0;
  };

  ENDPOINT_ASYNC("POST", "/api/v1/board/typed/{id}/task", CreateTaskTyped) {
    ENDPOINT_ASYNC_INIT(CreateTaskTyped)

    Action answer() override {
      board_id_ = integer_of_path("id");
      sent_ = controller->read<TaskIn>(body());
      return controller->source_->task().callbackTo(&CreateTaskTyped::on_fetched);
    }

    Action on_fetched(const Source::Task& fetched) {
      const auto task = dto_of(*fetched.typed());
      task->summary = sent_->summary;
      task->description = sent_->description;
      task->issue_type = sent_->issue_type;
      task->priority = sent_->priority;
      task->labels = sent_->labels;
      task->components = sent_->components;
      task->board = board_id_;
      return _return(controller->dto(task, Status::CODE_201));
    }

   private:
    std::int32_t board_id_ = 0;
    Object<TaskIn> sent_;
  };

  ENDPOINT_ASYNC("PUT", "/api/v1/board/typed/{id}/task", UpdateTaskTyped) {
    ENDPOINT_ASYNC_INIT(UpdateTaskTyped)

    Action answer() override {
      integer_of_path("id");  // throws where it is none
      sent_ = controller->read<TaskIn>(body());
      return controller->source_->save_task(sent_).callbackTo(&UpdateTaskTyped::on_saved);
    }

    Action on_saved(const Over&) { return _return(controller->nothing()); }

   private:
    Object<TaskIn> sent_;
  };

 private:
  const std::shared_ptr<Source> source_;
};

#include OATPP_CODEGEN_END(ApiController)
