#include "shared/registry.hpp"

#include "http.hpp"
#include "routes.hpp"
#include "shared/misfit.hpp"
#include "shared/parameters.hpp"

namespace {

/// Throws Misfit unless it is given once, and is an integer.
std::int32_t document_type_of(const crow::request& request) {
  const auto given = request.url_params.get_list("document_type", false);
  if (given.size() != 1) throw shared::Misfit("document_type has to be given once");
  const auto document_type = shared::integer_of(given.front());
  if (!document_type) throw shared::Misfit("document_type is not an integer");
  return *document_type;
}

}  // namespace

void add_registry(crow::SimpleApp& app, shared::Solr& solr) {
  CROW_ROUTE(app, "/json_serialization/typed")([&solr](const crow::request& request) {
    return json(shared::write(shared::documents_of(solr.select(document_type_of(request)))));
  });

  CROW_ROUTE(app, "/anonymization/typed")
  ([&solr] { return json(shared::write(shared::anonymized(shared::documents_of(solr.select(1))))); });
}
