#pragma once

#include <oatpp/core/Types.hpp>
#include <oatpp/core/macro/codegen.hpp>

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

  DTO_FIELD_INFO(docs) { info->required = true; }
  DTO_FIELD(Vector<Object<Document>>, docs);
};

class SolrAnswer : public oatpp::DTO {
  DTO_INIT(SolrAnswer, DTO)

  DTO_FIELD_INFO(response) { info->required = true; }
  DTO_FIELD(Object<Found>, response);
};

#include OATPP_CODEGEN_END(DTO)
