#pragma once

#include <memory>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/core/macro/component.hpp>
#include <optional>
#include <string>
#include <utility>

#include "awaiting.hpp"
#include "controller.hpp"
#include "dto.hpp"
#include "registry_dto.hpp"
#include "shared/solr.hpp"

#include OATPP_CODEGEN_BEGIN(ApiController)

class Registry : public Controller {
  using __ControllerType = Registry;

  using Documents = oatpp::Vector<oatpp::Object<Document>>;

  /// Solr's JSON, or nothing where Solr is not available.
  using Answer = std::optional<std::string>;

 public:
  explicit Registry(OATPP_COMPONENT(std::shared_ptr<ObjectMapper>, mapper),
                    OATPP_COMPONENT(std::shared_ptr<shared::Solr>, solr))
      : Controller(mapper), solr_(solr) {}

  ENDPOINT_INFO(GetDocuments) {
    info->summary = "The documents of a type";
    info->queryParams.add<Int32>("document_type").description = "The type of the documents";
    info->queryParams["document_type"].addExample("type", Int32(1));
    describe_answers(*info);
    info->addResponse<String>(Status::CODE_400, "text/plain", "document_type is not one integer");
  }
  ENDPOINT_ASYNC("GET", "/json_serialization/typed", GetDocuments) {
    ENDPOINT_ASYNC_INIT(GetDocuments)

    Action answer() override {
      return controller->ask(document_type_of(*request)).callbackTo(&GetDocuments::on_answer);
    }

    Action on_answer(const Answer& answer) {
      const auto documents = controller->documents_in(answer);
      return _return(documents ? controller->dto(documents) : controller->unavailable());
    }
  };

  ENDPOINT_INFO(GetAnonymized) {
    info->summary = "The documents of type 1, anonymised";
    describe_answers(*info);
  }
  ENDPOINT_ASYNC("GET", "/anonymization/typed", GetAnonymized) {
    ENDPOINT_ASYNC_INIT(GetAnonymized)

    Action answer() override { return controller->ask(1).callbackTo(&GetAnonymized::on_answer); }

    Action on_answer(const Answer& answer) {
      const auto documents = controller->documents_in(answer);
      return _return(documents ? controller->dto(anonymized(documents)) : controller->unavailable());
    }
  };

 private:
  static void describe_answers(oatpp::web::server::api::Endpoint::Info& info) {
    info.addResponse<Documents>(Status::CODE_200, "application/json").addExample("documents", example());
    info.addResponse<String>(Status::CODE_503, "text/plain", "Solr does not answer");
  }

  static Documents example() {
    const auto child = Child::createShared();
    child->id = "1-1";
    child->name = "a child";
    child->number = 100;
    const auto document = Document::createShared();
    document->id = "1";
    document->document_type = 1;
    document->string_array = {"a text"};
    document->int_array = {1, 2};
    document->child_objects = {child};
    return {document};
  }

  /// The parameter of that name. Throws Misfit where it is missing, given more than once, or not an integer.
  static std::int32_t document_type_of(const IncomingRequest& request) {
    constexpr auto NAME = "document_type";
    const auto times_given = request.getQueryParameters().getAll().count(NAME);
    if (times_given != 1) throw shared::Misfit("document_type has to be given once");
    const auto document_type = shared::integer_of(*request.getQueryParameter(NAME));
    if (!document_type) throw shared::Misfit("document_type has to be an integer");
    return *document_type;
  }

  Awaited<Answer> ask(std::int32_t document_type) const {
    return await<Answer>([this, document_type](auto answered) { solr_->select(document_type, std::move(answered)); });
  }

  /// Null where Solr is not available.
  Documents documents_in(const Answer& answer) const {
    if (!answer) return nullptr;
    try {
      return read_json<SolrAnswer>(*getDefaultObjectMapper(), *answer)->response->docs;
    } catch (const shared::Misfit&) {
      return nullptr;
    }
  }

  static Documents anonymized(const Documents& documents) {
    for (const auto& document : *documents) {
      if (!document->child_objects) continue;
      for (const auto& child : *document->child_objects) {
        if (child->number && *child->number < 100) child->number = 0;
      }
    }
    return documents;
  }

  std::shared_ptr<OutgoingResponse> unavailable() const { return text("Solr does not answer", Status::CODE_503); }

  const std::shared_ptr<shared::Solr> solr_;
};

#include OATPP_CODEGEN_END(ApiController)
