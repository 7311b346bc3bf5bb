#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>
#include <optional>
#include <string>

#include "awaiting.hpp"
#include "controller.hpp"
#include "percent.hpp"
#include "shared/raw.hpp"
#include "shared/thread_pool.hpp"
#include "shared/work.hpp"
#include "timer.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

/// The workload raw, and what has no variants.
class WorkloadRaw : public Controller {
  using __ControllerType = WorkloadRaw;

  /// Nothing where bcrypt cannot take the text.
  using Hash = std::optional<std::string>;

 public:
  explicit WorkloadRaw(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper),
                       OATPP_COMPONENT(std::shared_ptr<Timer>, timer),
                       OATPP_COMPONENT(std::shared_ptr<shared::ThreadPool>, threads))
      : Controller(mapper), timer_(timer), threads_(threads) {}

  ENDPOINT_ASYNC("POST", "/test/simple/raw", SimpleRaw) {
    ENDPOINT_ASYNC_INIT(SimpleRaw)

    Action answer() override {
      return _return(controller->json(shared::payload_json(shared::greeting(shared::read_payload(body())))));
    }
  };

  ENDPOINT_ASYNC("POST", "/test/timed/raw", TimedRaw) {
    ENDPOINT_ASYNC_INIT(TimedRaw)

    Action answer() override {
      payload_ = shared::read_payload(body());
      return controller->timer_->after(shared::TIMED).callbackTo(&TimedRaw::on_time);
    }

    Action on_time(const Over&) { return _return(controller->json(shared::payload_json(shared::greeting(payload_)))); }

   private:
    std::string payload_;
  };

  ENDPOINT_ASYNC("POST", "/test/bcrypt", Bcrypt) {
    ENDPOINT_ASYNC_INIT(Bcrypt)

    Action answer() override { return controller->hash(shared::read_payload(body())).callbackTo(&Bcrypt::on_hash); }

    Action on_hash(const Hash& hash) {
      if (!hash) return _return(controller->text("bcrypt cannot take this text", Status::CODE_400));
      return _return(controller->json(shared::payload_json(*hash)));
    }
  };

  ENDPOINT_ASYNC("GET", "/test/status", GetStatus) {
    ENDPOINT_ASYNC_INIT(GetStatus)

    Action answer() override { return _return(controller->text("OK")); }
  };

  ENDPOINT_ASYNC("GET", "/test/labels/{label}", GetLabel) {
    ENDPOINT_ASYNC_INIT(GetLabel)

    Action answer() override { return _return(controller->text(percent_decoded(*request->getPathVariable("label")))); }
  };

  ENDPOINT_ASYNC("POST", "/test", Queue) {
    ENDPOINT_ASYNC_INIT(Queue)

    Action answer() override {
      message_ = shared::read_message(body());
      return controller->timer_->after(shared::processing()).callbackTo(&Queue::on_time);
    }

    Action on_time(const Over&) { return _return(controller->json(shared::handled_json(message_))); }

   private:
    std::string message_;
  };

 private:
  Awaited<Hash> hash(const std::string& password) const {
    return await<Hash>([this, password](auto hashed) {
      threads_->submit([password, hashed] {
        try {
          hashed(shared::hash_password(password));
        } catch (const shared::Misfit&) {
          hashed(std::nullopt);
        }
      });
    });
  }

  const std::shared_ptr<Timer> timer_;
  const std::shared_ptr<shared::ThreadPool> threads_;
};

#include OATPP_CODEGEN_END(ApiController)
