#include "shared/registry.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "routes.hpp"
#include "shared/parameters.hpp"

using shared::Document;

namespace {

/// The parameter of that name: nothing where it is missing, given more than once, or not an integer.
std::optional<std::int32_t> document_type_of(const restbed::Request& request) {
  const auto given = request.get_query_parameters("document_type");
  return given.size() == 1 ? shared::integer_of(given.begin()->second) : std::nullopt;
}

}  // namespace

void add_registry(restbed::Service& service, shared::Solr& solr) {
  const auto ask = [&service, &solr](const Session& session, std::int32_t document_type, auto answered_with) {
    solr.select(document_type, [=, &service](std::optional<std::string> found) {
      service.schedule([=, found = std::move(found)] {
        try {
          if (!found) throw shared::SolrUnavailable("Solr does not answer");
          answer_json(session, shared::write(answered_with(shared::documents_of(*found))));
        } catch (const shared::SolrUnavailable& error) {
          answer_text(session, error.what(), restbed::SERVICE_UNAVAILABLE);
        }
      });
    });
  };

  const Handler json_serialization = [ask](const Session& session) {
    const auto document_type = document_type_of(*session->get_request());
    if (!document_type) {
      return answer_text(session, "document_type has to be one integer", restbed::BAD_REQUEST);
    }
    ask(session, *document_type, [](std::vector<Document> documents) { return documents; });
  };

  const Handler anonymization = [ask](const Session& session) { ask(session, 1, shared::anonymized); };

  publish(service, "/json_serialization/typed", {{"GET", json_serialization}});
  publish(service, "/anonymization/typed", {{"GET", anonymization}});
}
