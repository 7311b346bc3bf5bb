#pragma once

#include "controller.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class Hello : public Controller {
 public:
  ENDPOINT("GET", "/hello_world", hello_world) { return text("Hello World"); }
};

#include OATPP_CODEGEN_END(ApiController)
