#include "registry.hpp"

#include <pistache/serializer/rapidjson.h>

#include <optional>
#include <utility>

#include "shared/parameters.hpp"

namespace {

/// Of several, Pistache keeps the first and does not show the others.
std::int32_t document_type_of(const Rest::Request& request) {
  const auto given = request.query().get("document_type");
  const auto document_type = given ? shared::integer_of(*given) : std::nullopt;
  if (!document_type) throw Http::HttpError(Http::Code::Bad_Request, "document_type has to be an integer");
  return *document_type;
}

}  // namespace

Registry::Registry(shared::Solr& solr, shared::ThreadPool& threads, Rest::Router& router)
    : solr_(solr), threads_(threads) {
  const auto unavailable = description_.response(Http::Code::Service_Unavailable, "Solr does not answer");
  description_.route(description_.get("/json_serialization/typed"), "The documents of the type document_type")
      .bind(&Registry::json_serialization, this)
      .produces(MIME(Application, Json))
      .response(Http::Code::Ok, "The documents of that type")
      .response(Http::Code::Bad_Request, "document_type is not an integer")
      .response(unavailable);
  description_.route(description_.get("/anonymization/typed"), "The documents of type 1, without small numbers")
      .bind(&Registry::anonymization, this)
      .produces(MIME(Application, Json))
      .response(Http::Code::Ok, "The documents, with 0 in place of their children's numbers below 100")
      .response(unavailable);
  router.initFromDescription(description_);
  Rest::Routes::Get(router, "/openapi.json", Rest::Routes::bind(&Registry::document, this));
}

void Registry::document(const Rest::Request&, Http::ResponseWriter response) {
  send_json(response, Rest::Serializer::rapidJson(description_));
}

void Registry::json_serialization(const Rest::Request& request, Http::ResponseWriter response) {
  answer(document_type_of(request), later(std::move(response)), [](Documents documents) { return documents; });
}

void Registry::anonymization(const Rest::Request&, Http::ResponseWriter response) {
  answer(1, later(std::move(response)), shared::anonymized);
}

void Registry::answer(std::int32_t document_type, Later response, Documents (*change)(Documents)) {
  solr_.select(document_type, [=, this](std::optional<std::string> found) {
    threads_.submit([=, found = std::move(found)] {
      try {
        if (!found) throw shared::SolrUnavailable("Solr does not answer");
        send_json(*response, shared::write(change(shared::documents_of(*found))));
      } catch (const shared::SolrUnavailable& error) {
        response->send(Http::Code::Service_Unavailable, error.what());
      }
    });
  });
}
