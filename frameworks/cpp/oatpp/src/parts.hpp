#pragma once

#include <memory>
#include <oatpp/core/macro/component.hpp>
#include <oatpp/web/server/HttpRequestHandler.hpp>
#include <oatpp/web/server/HttpRouter.hpp>
#include <string>

#include "controller.hpp"
#include "issue_tracker_dto.hpp"

/// The routes that are only there to be routed past. Their paths are made in a loop, which ENDPOINT_ASYNC cannot do.
class Parts : public Controller {
 public:
  explicit Parts(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper)) : Controller(mapper) {}

  void add_routes(oatpp::web::server::HttpRouter& router) const {
    const auto handler = std::make_shared<PartHandler>(this);
    for (int number = 0; number < 10; ++number) {
      const auto rest = std::to_string(number) + "/{part}";
      router.route("GET", "/route-get-" + rest, handler);
      router.route("POST", "/route-post-" + rest, handler);
      router.route("PUT", "/route-put-" + rest, handler);
    }
  }

 private:
  class GetPart : public HandlerCoroutine<GetPart, const Parts> {
   public:
    using HandlerCoroutine::HandlerCoroutine;

    Action answer() override {
      const auto part = Part::createShared();
      part->part = integer_of_path("part");
      return _return(controller->dto(part));
    }
  };

  class PartHandler : public oatpp::web::server::HttpRequestHandler {
   public:
    explicit PartHandler(const Parts* parts) : parts_(parts) {}

    oatpp::async::CoroutineStarterForResult<const std::shared_ptr<OutgoingResponse>&> handleAsync(
        const std::shared_ptr<IncomingRequest>& request) override {
      return GetPart::startForResult(parts_, request);
    }

   private:
    const Parts* const parts_;
  };
};
