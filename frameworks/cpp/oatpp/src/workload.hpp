#pragma once

#include <thread>

#include "controller.hpp"
#include "shared/parameters.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

#include OATPP_CODEGEN_BEGIN(DTO)

class Payload : public oatpp::DTO {
  DTO_INIT(Payload, DTO)

  DTO_FIELD(String, payload);
};

#include OATPP_CODEGEN_END(DTO)

#include OATPP_CODEGEN_BEGIN(ApiController)

class Workload : public Controller {
 public:
  ENDPOINT("POST", "/test/simple/raw", simple_raw, BODY_STRING(String, body)) {
    const auto payload = shared::text_in(shared::parse_json(*body), "payload");
    return json({{"payload", shared::greeting(payload)}});
  }

  ENDPOINT("POST", "/test/timed/raw", timed_raw, BODY_STRING(String, body)) {
    const auto payload = shared::text_in(shared::parse_json(*body), "payload");
    std::this_thread::sleep_for(shared::TIMED);
    return json({{"payload", shared::greeting(payload)}});
  }

  ENDPOINT("POST", "/test/simple/typed", simple, BODY_STRING(String, body)) {
    const auto sent = read<Payload>(body);
    sent->payload = shared::greeting(*sent->payload);
    return createDtoResponse(Status::CODE_200, sent);
  }

  ENDPOINT("POST", "/test/timed/typed", timed, BODY_STRING(String, body)) {
    const auto sent = read<Payload>(body);
    std::this_thread::sleep_for(shared::TIMED);
    sent->payload = shared::greeting(*sent->payload);
    return createDtoResponse(Status::CODE_200, sent);
  }

  ENDPOINT("POST", "/test/bcrypt", bcrypt, BODY_STRING(String, body)) {
    const auto payload = shared::text_in(shared::parse_json(*body), "payload");
    return json({{"payload", shared::hash_password(payload)}});
  }

  ENDPOINT("GET", "/test/status", status) { return text("OK"); }

  ENDPOINT("GET", "/test/labels/{label}", get_label, PATH(String, label)) {
    return text(shared::percent_decoded(*label));
  }

  ENDPOINT("POST", "/test", queue, BODY_STRING(String, body)) {
    const auto message = shared::text_in(shared::parse_json(*body), "message");
    std::this_thread::sleep_for(shared::processing());
    return json({{"message", message}, {"note", shared::processing_note()}});
  }
};

#include OATPP_CODEGEN_END(ApiController)
