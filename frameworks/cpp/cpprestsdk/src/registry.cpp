#include "shared/registry.hpp"

#include <cpprest/base_uri.h>
#include <cpprest/http_client.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "routes.hpp"
#include "shared/misfit.hpp"
#include "shared/parameters.hpp"
#include "shared/solr.hpp"

using shared::Document;
using web::uri;
using web::http::http_request;
using web::http::http_response;
using web::http::methods;
using web::http::status_codes;
using web::http::client::http_client;
using web::http::client::http_client_config;

namespace {

using Documents = std::vector<Document>;

/// Throws Misfit unless it is given once, and is an integer.
std::int32_t document_type_of(const http_request& request) {
  constexpr auto NAME = "document_type";
  const auto query = request.relative_uri().query();
  // split_query() keeps one of several
  if (shared::times_given(query, NAME) != 1) throw shared::Misfit("document_type has to be given once");
  const auto document_type = shared::integer_of(uri::split_query(query).at(NAME));
  if (!document_type) throw shared::Misfit("document_type is not an integer");
  return *document_type;
}

/// Solr, over connections that the client keeps alive.
http_client solr_client() {
  http_client_config config;
  config.set_timeout(shared::SOLR_TIMEOUT);
  return {shared::solr_url(), config};
}

/// The task throws SolrUnavailable.
pplx::task<Documents> documents(http_client& solr, std::int32_t document_type) {
  web::uri_builder select("/select");
  for (const auto& [name, value] : shared::solr_parameters(document_type)) select.append_query(name, value);
  return solr.request(methods::GET, select.to_string())
      .then([](const http_response& response) {
        if (response.status_code() != status_codes::OK) throw shared::SolrUnavailable(response.reason_phrase());
        return response.extract_json();
      })
      .then([](const pplx::task<web::json::value>& answer) -> Documents {
        try {
          Documents found;
          from_json(answer.get().at("response").at("docs"), found);
          return found;
        } catch (const std::exception& error) {
          throw shared::SolrUnavailable(error.what());
        }
      });
}

}  // namespace

void add_registry(Router& router) {
  const auto solr = std::make_shared<http_client>(solr_client());

  router.add(methods::GET, "/json_serialization/typed", [solr](http_request request, const std::string&) {
    return documents(*solr, document_type_of(request)).then([request](const Documents& found) {
      return request.reply(status_codes::OK, as_json(found));
    });
  });

  router.add(methods::GET, "/anonymization/typed", [solr](http_request request, const std::string&) {
    return documents(*solr, 1).then([request](const Documents& found) {
      return request.reply(status_codes::OK, as_json(shared::anonymized(found)));
    });
  });
}
