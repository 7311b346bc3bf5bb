#pragma once

#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>
#include <oatpp/web/server/api/ApiController.hpp>
#include <string>

#include "shared/json.hpp"

/// What the controllers of the app share.
class Controller : public oatpp::web::server::api::ApiController {
 public:
  explicit Controller(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper)) : ApiController(mapper) {}

 protected:
  using Response = std::shared_ptr<OutgoingResponse>;

  Response text(const String& text) const { return respond(Status::CODE_200, text, "text/plain; charset=utf-8"); }

  Response json(const shared::json& json, const Status& status = Status::CODE_200) const {
    return respond(status, json.dump(), "application/json");
  }

  /// Returns the DTO that a client has sent, with all of its fields. Throws Misfit where the text is none.
  template <class Dto>
  Object<Dto> read(const String& body) const {
    // The mapper needs no commas, takes any bytes for text, and looks neither into unknown fields nor behind the end.
    if (!shared::json::accept(*body)) throw shared::Misfit("the body is not JSON");
    oatpp::parser::Caret caret(body);
    const auto dto = getDefaultObjectMapper()->readFromCaret<Object<Dto>>(caret);
    if (!dto || caret.hasError()) throw shared::Misfit("the body does not fit");
    for (auto* field : dto.getPropertiesList()) {
      if (!field->get(dto.get())) throw shared::Misfit(std::string(field->name) + " is missing");
    }
    return dto;
  }

 private:
  Response respond(const Status& status, const String& body, const char* type) const {
    const auto response = createResponse(status, body);
    response->putHeader(Header::CONTENT_TYPE, type);
    return response;
  }
};
