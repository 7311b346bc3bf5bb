#include "shared/registry.hpp"

#include <cstdint>

#include "http.hpp"
#include "routes.hpp"
#include "shared/misfit.hpp"
#include "shared/parameters.hpp"

using httplib::Request;
using httplib::Response;

namespace {

/// Throws Misfit unless it is given once, and is an integer.
std::int32_t document_type_of(const Request& request) {
  constexpr auto NAME = "document_type";
  // httplib itself keeps one of several that are equal
  const auto query = request.target.substr(request.target.find('?') + 1);
  if (shared::times_given(query, NAME) != 1) throw shared::Misfit("document_type has to be given once");
  const auto document_type = shared::integer_of(request.get_param_value(NAME));
  if (!document_type) throw shared::Misfit("document_type is not an integer");
  return *document_type;
}

}  // namespace

void add_registry(httplib::Server& server, shared::Solr& solr) {
  server.Get("/json_serialization/typed", [&solr](const Request& request, Response& response) {
    const auto documents = shared::documents_of(solr.select(document_type_of(request)));
    response.set_content(shared::write(documents), JSON);
  });

  server.Get("/anonymization/typed", [&solr](const Request&, Response& response) {
    const auto documents = shared::anonymized(shared::documents_of(solr.select(1)));
    response.set_content(shared::write(documents), JSON);
  });
}
