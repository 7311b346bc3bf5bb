#include "shared/registry.hpp"

#include <algorithm>
#include <optional>
#include <restinio/uri_helpers.hpp>

#include "routes.hpp"
#include "shared/parameters.hpp"

namespace asio = restinio::asio_ns;

using shared::Document;

namespace {

/// The parameter of that name: nothing where it is missing, given more than once, or not an integer.
std::optional<std::int32_t> document_type_of(const Request& request) {
  const auto query = restinio::try_parse_query<restinio::parse_query_traits::relaxed>(request->header().query());
  if (!query) return std::nullopt;
  const auto given = [](const auto& parameter) { return parameter.first == "document_type"; };
  if (std::ranges::count_if(*query, given) != 1) return std::nullopt;
  return shared::integer_of((*query)["document_type"]);
}

}  // namespace

void add_registry(Router& router, shared::Solr& solr, asio::io_context& loop) {
  const auto ask = [&solr, &loop](const Request& request, std::int32_t document_type, auto answered_with) {
    solr.select(document_type, [=, &loop](std::optional<std::string> found) {
      asio::post(loop, [=, found = std::move(found)] {
        try {
          if (!found) throw shared::SolrUnavailable("Solr does not answer");
          answer_json(request, shared::write(answered_with(shared::documents_of(*found))));
        } catch (const shared::SolrUnavailable& error) {
          answer_text(request, error.what(), restinio::status_service_unavailable());
        }
      });
    });
    return restinio::request_accepted();
  };

  router.http_get(routing::path_to_params("/json_serialization/typed"), [ask](const Request& request) {
    const auto document_type = document_type_of(request);
    if (!document_type) {
      return answer_text(request, "document_type has to be one integer", restinio::status_bad_request());
    }
    return ask(request, *document_type, [](std::vector<Document> documents) { return documents; });
  });

  router.http_get(routing::path_to_params("/anonymization/typed"),
                  [ask](const Request& request) { return ask(request, 1, shared::anonymized); });
}
