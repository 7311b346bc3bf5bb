#include "registry.hpp"

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
  using Rest::Routes::bind;
  Rest::Routes::Get(router, "/json_serialization/typed", bind(&Registry::json_serialization, this));
  Rest::Routes::Get(router, "/anonymization/typed", bind(&Registry::anonymization, this));
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
