#include "http.hpp"

#include <utility>

#include "shared/misfit.hpp"
#include "shared/solr.hpp"

crow::response json(std::string text, crow::status status) {
  return crow::response(status, "application/json", std::move(text));
}

crow::response text(std::string text, crow::status status) {
  return crow::response(status, "text/plain; charset=utf-8", std::move(text));
}

crow::json::rvalue read_object(const crow::request& request) {
  auto body = crow::json::load(request.body);
  if (!body || body.t() != crow::json::type::Object) throw shared::Misfit("the body is no object of JSON");
  return body;
}

std::int32_t id_of(std::uint64_t number) {
  if (number > INT32_MAX) throw shared::Misfit("the path has no such integer");
  return static_cast<std::int32_t>(number);
}

void answer_exception(crow::response& response) {
  try {
    throw;
  } catch (const shared::Misfit& misfit) {
    response = text(misfit.what(), crow::status::BAD_REQUEST);
  } catch (const shared::SolrUnavailable& error) {
    response = text(error.what(), crow::status::SERVICE_UNAVAILABLE);
  } catch (...) {
    response = crow::response(crow::status::INTERNAL_SERVER_ERROR);
  }
}
