#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>

#include "awaiting.hpp"
#include "controller.hpp"
#include "shared/work.hpp"
#include "timer.hpp"

#include OATPP_CODEGEN_BEGIN(DTO)

class Payload : public oatpp::DTO {
  DTO_INIT(Payload, DTO)

  DTO_FIELD_INFO(payload) { info->required = true; }
  DTO_FIELD(String, payload);
};

#include OATPP_CODEGEN_END(DTO)

#include OATPP_CODEGEN_BEGIN(ApiController)

class WorkloadTyped : public Controller {
  using __ControllerType = WorkloadTyped;

 public:
  explicit WorkloadTyped(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper),
                         OATPP_COMPONENT(std::shared_ptr<Timer>, timer))
      : Controller(mapper), timer_(timer) {}

  ENDPOINT_ASYNC("POST", "/test/simple/typed", SimpleTyped) {
    ENDPOINT_ASYNC_INIT(SimpleTyped)

    Action answer() override { return _return(controller->dto(greeting(controller->read<Payload>(body())))); }
  };

  ENDPOINT_ASYNC("POST", "/test/timed/typed", TimedTyped) {
    ENDPOINT_ASYNC_INIT(TimedTyped)

    Action answer() override {
      sent_ = controller->read<Payload>(body());
      return controller->timer_->after(shared::TIMED).callbackTo(&TimedTyped::on_time);
    }

    Action on_time(const Over&) { return _return(controller->dto(greeting(sent_))); }

   private:
    Object<Payload> sent_;
  };

 private:
  static Object<Payload> greeting(const Object<Payload>& sent) {
    const auto answer = Payload::createShared();
    answer->payload = shared::greeting(*sent->payload);
    return answer;
  }

  const std::shared_ptr<Timer> timer_;
};

#include OATPP_CODEGEN_END(ApiController)
