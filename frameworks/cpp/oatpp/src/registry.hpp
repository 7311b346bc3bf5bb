#pragma once

#include <oatpp-swagger/Generator.hpp>

#include "controller.hpp"
#include "shared/parameters.hpp"
#include "shared/solr.hpp"

#include OATPP_CODEGEN_BEGIN(DTO)

class Child : public oatpp::DTO {
  DTO_INIT(Child, DTO)

  DTO_FIELD_INFO(id) { info->required = true; }
  DTO_FIELD(String, id);

  DTO_FIELD(String, name);
  DTO_FIELD(Int32, number);
};

class Document : public oatpp::DTO {
  DTO_INIT(Document, DTO)

  DTO_FIELD_INFO(id) { info->required = true; }
  DTO_FIELD(String, id);

  DTO_FIELD_INFO(document_type) { info->required = true; }
  DTO_FIELD(Int32, document_type);

  DTO_FIELD(Vector<String>, string_array);
  DTO_FIELD(Vector<Int32>, int_array);
  DTO_FIELD(Vector<Object<Child>>, child_objects);
};

class Found : public oatpp::DTO {
  DTO_INIT(Found, DTO)

  DTO_FIELD(Vector<Object<Document>>, docs);
};

class SolrAnswer : public oatpp::DTO {
  DTO_INIT(SolrAnswer, DTO)

  DTO_FIELD(Object<Found>, response);
};

#include OATPP_CODEGEN_END(DTO)

#include OATPP_CODEGEN_BEGIN(ApiController)

class Registry : public Controller {
  using Documents = oatpp::Vector<oatpp::Object<Document>>;

  shared::Solr solr_;

 public:
  ENDPOINT_INFO(documents) {
    info->summary = "The documents of a type";
    info->queryParams["document_type"].description = "The type of the documents";
    info->queryParams["document_type"].addExample("type", Int32(1));
    describe_answers(*info);
    info->addResponse<String>(Status::CODE_400, "text/plain", "document_type is not one integer");
  }
  ENDPOINT("GET", "/json_serialization/typed", documents, QUERIES(QueryParams, given), QUERY(Int32, document_type)) {
    // QUERY takes an empty text for an integer, cuts a long one, and takes one of several.
    const bool fits = shared::integer_of(*given.get("document_type")) && given.getAll().count("document_type") == 1;
    OATPP_ASSERT_HTTP(fits, Status::CODE_400, "document_type has to be one integer of 32 bits");
    return createDtoResponse(Status::CODE_200, select(document_type));
  }

  ENDPOINT_INFO(anonymized) {
    info->summary = "The documents of type 1, anonymised";
    describe_answers(*info);
  }
  ENDPOINT("GET", "/anonymization/typed", anonymized) {
    const auto documents = select(1);
    for (const auto& document : *documents) {
      if (!document->child_objects) continue;
      for (const auto& child : *document->child_objects) {
        if (child->number && *child->number < 100) child->number = 0;
      }
    }
    return createDtoResponse(Status::CODE_200, documents);
  }

  ENDPOINT_INFO(openapi) { info->hide = true; }
  ENDPOINT("GET", "/api-docs/oas-3.0.0.json", openapi) {
    const auto info = oatpp::swagger::DocumentInfo::Builder().setTitle("Registry").setVersion("1.0").build();
    oatpp::swagger::Generator generator(std::make_shared<oatpp::swagger::Generator::Config>());
    return createDtoResponse(Status::CODE_200, generator.generateDocument(info, getEndpoints()));
  }

 private:
  void describe_answers(oatpp::web::server::api::Endpoint::Info& info) const {
    const auto example = getDefaultObjectMapper()->readFromString<Documents>(R"([{
      "id": "1", "document_type": 1, "string_array": ["a text"], "int_array": [1, 2],
      "child_objects": [{"id": "1-1", "name": "a child", "number": 100}]
    }])");
    info.addResponse<Documents>(Status::CODE_200, "application/json").addExample("documents", example);
    info.addResponse<String>(Status::CODE_503, "text/plain", "Solr does not answer");
  }

  /// Returns the documents of a type. The mapper does not look for required fields.
  Documents select(v_int32 document_type) {
    const auto answer = getDefaultObjectMapper()->readFromString<Object<SolrAnswer>>(solr_.select(document_type));
    OATPP_ASSERT_HTTP(answer && answer->response && answer->response->docs, Status::CODE_503,
                      "Solr's answer has no documents");
    for (const auto& document : *answer->response->docs) {
      OATPP_ASSERT_HTTP(document && document->id && document->document_type, Status::CODE_503,
                        "a document lacks a field");
      if (!document->child_objects) continue;
      for (const auto& child : *document->child_objects) {
        OATPP_ASSERT_HTTP(child && child->id, Status::CODE_503, "a child lacks its id");
      }
    }
    return answer->response->docs;
  }
};

#include OATPP_CODEGEN_END(ApiController)
