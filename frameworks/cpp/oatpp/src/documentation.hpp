#pragma once

#include <memory>
#include <oatpp-swagger/Generator.hpp>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>
#include <utility>

#include "controller.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

/// Serves the OpenAPI document, as oatpp::swagger::AsyncController does, without the files of Swagger UI.
class Documentation : public Controller {
  using __ControllerType = Documentation;

 public:
  explicit Documentation(const oatpp::web::server::api::Endpoints& endpoints,
                         OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper))
      : Controller(mapper), document_(document_of(endpoints)) {}

  ENDPOINT_ASYNC("GET", "/api-docs/oas-3.0.0.json", GetDocument) {
    ENDPOINT_ASYNC_INIT(GetDocument)

    Action answer() override { return _return(controller->dto(controller->document_)); }
  };

 private:
  using Document = oatpp::Object<oatpp::swagger::oas3::Document>;

  static Document document_of(const oatpp::web::server::api::Endpoints& endpoints) {
    const auto info = oatpp::swagger::DocumentInfo::Builder().setTitle("Registry").setVersion("1.0").build();
    oatpp::swagger::Generator generator(std::make_shared<oatpp::swagger::Generator::Config>());
    return generator.generateDocument(info, endpoints);
  }

  const Document document_;
};

#include OATPP_CODEGEN_END(ApiController)
