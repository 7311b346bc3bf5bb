#pragma once

#include <cstdint>
#include <vector>

#include "http.hpp"
#include "shared/registry.hpp"
#include "shared/solr.hpp"

class Registry : public drogon::HttpController<Registry, false> {
 public:
  METHOD_LIST_BEGIN
  ADD_METHOD_TO(Registry::json_serialization, "/json_serialization/typed", drogon::Get);
  ADD_METHOD_TO(Registry::anonymization, "/anonymization/typed", drogon::Get);
  METHOD_LIST_END

  explicit Registry(shared::Solr& solr) : solr_(solr) {}

  void json_serialization(const drogon::HttpRequestPtr& request, Callback&& callback);
  void anonymization(const drogon::HttpRequestPtr& request, Callback&& callback);

 private:
  using Documents = std::vector<shared::Document>;

  void answer(std::int32_t document_type, Callback&& callback, Documents (*change)(Documents));

  shared::Solr& solr_;
};
