#pragma once

#include <cstdint>
#include <oatpp/web/server/api/ApiController.hpp>
#include <string>
#include <utility>

#include "dto.hpp"
#include "shared/misfit.hpp"
#include "shared/parameters.hpp"

/// What the controllers of the app share.
class Controller : public oatpp::web::server::api::ApiController {
 public:
  using ApiController::ApiController;

  std::shared_ptr<OutgoingResponse> text(const String& text, const Status& status = Status::CODE_200) const {
    return respond(text, "text/plain; charset=utf-8", status);
  }

  std::shared_ptr<OutgoingResponse> json(std::string json, const Status& status = Status::CODE_200) const {
    return respond(std::move(json), "application/json", status);
  }

  std::shared_ptr<OutgoingResponse> dto(const oatpp::Void& dto, const Status& status = Status::CODE_200) const {
    return createDtoResponse(status, dto);
  }

  /// Returns a DTO from a body. Throws Misfit.
  template <class Dto>
  Object<Dto> read(const std::string& body) const {
    return ::read<Dto>(*getDefaultObjectMapper(), body);
  }

  std::shared_ptr<OutgoingResponse> nothing() const {
    return OutgoingResponse::createShared(Status::CODE_204, nullptr);
  }

 protected:
  /// The base of what ENDPOINT_ASYNC declares, in place of Oat++'s own: it reads the body before it calls answer(), and
  /// answers a Misfit that answer() throws with 400. Oat++ itself would answer every exception with 500.
  template <class Endpoint, class Owner>
  class HandlerCoroutine : public ApiController::HandlerCoroutine<Endpoint, Owner> {
   public:
    using ApiController::HandlerCoroutine<Endpoint, Owner>::HandlerCoroutine;

    oatpp::async::Action act() override {
      if (!has_body()) return on_body("");
      return this->request->readBodyToStringAsync().callbackTo(&HandlerCoroutine::on_body);
    }

   protected:
    virtual oatpp::async::Action answer() = 0;

    const std::string& body() const { return *body_; }

    /// The integer of the path that has this name. Throws Misfit.
    std::int32_t integer_of_path(const char* name) const {
      const auto number = shared::integer_of(*this->request->getPathVariable(name));
      if (!number || *number < 0) throw shared::Misfit(std::string(name) + " is not an integer of 31 bits");
      return *number;
    }

   private:
    oatpp::async::Action on_body(const String& body) {
      body_ = body;
      try {
        return answer();
      } catch (const shared::Misfit& misfit) {
        return this->_return(this->controller->text(misfit.what(), Status::CODE_400));
      }
    }

    /// Oat++ takes the reading of an empty body for an error.
    bool has_body() const {
      const auto length = this->request->getHeader(Header::CONTENT_LENGTH);
      return (length && length != "0") || this->request->getHeader(Header::TRANSFER_ENCODING);
    }

    String body_;
  };

 private:
  std::shared_ptr<OutgoingResponse> respond(const String& body, const char* type, const Status& status) const {
    auto response = createResponse(status, body);
    response->putHeader(Header::CONTENT_TYPE, type);
    return response;
  }
};
