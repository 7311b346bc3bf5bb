#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>

#include "controller.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class Hello : public Controller {
  using __ControllerType = Hello;

 public:
  explicit Hello(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper)) : Controller(mapper) {}

  ENDPOINT_ASYNC("GET", "/hello_world", HelloWorld) {
    ENDPOINT_ASYNC_INIT(HelloWorld)

    Action answer() override { return _return(controller->text("Hello World")); }
  };
};

#include OATPP_CODEGEN_END(ApiController)
