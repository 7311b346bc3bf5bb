#pragma once

#include <pistache/description.h>

#include "http.hpp"
#include "shared/registry.hpp"
#include "shared/solr.hpp"
#include "shared/thread_pool.hpp"

class Registry {
 public:
  /// What Solr answers is handled on `threads`: Pistache's event loop takes no work from others.
  Registry(shared::Solr& solr, shared::ThreadPool& threads, Rest::Router& router);

 private:
  using Documents = std::vector<shared::Document>;

  void json_serialization(const Rest::Request& request, Http::ResponseWriter response);
  void document(const Rest::Request& request, Http::ResponseWriter response);
  void anonymization(const Rest::Request& request, Http::ResponseWriter response);

  void answer(std::int32_t document_type, Later response, Documents (*change)(Documents));

  Rest::Description description_{"Registry", "1.0"};
  shared::Solr& solr_;
  shared::ThreadPool& threads_;
};
