#include <string>
#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/misfit.hpp"
#include "shared/parameters.hpp"
#include "shared/work.hpp"

using crow::HTTPMethod;

namespace {

/// Returns the text under that name of the body. Throws Misfit.
std::string text_in(const crow::request& request, const char* name) {
  const auto body = read_object(request);
  if (!body.has(name) || body[name].t() != crow::json::type::String) {
    throw shared::Misfit(std::string(name) + " is no text");
  }
  return body[name].s();
}

crow::json::wvalue payload_json(const std::string& payload) { return crow::json::wvalue({{"payload", payload}}); }

}  // namespace

void add_workload(crow::SimpleApp& app) {
  CROW_ROUTE(app, "/test/simple/raw").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = text_in(request, "payload");
    return payload_json(shared::greeting(payload));
  });

  CROW_ROUTE(app, "/test/timed/raw").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = text_in(request, "payload");
    std::this_thread::sleep_for(shared::TIMED);
    return payload_json(shared::greeting(payload));
  });

  CROW_ROUTE(app, "/test/bcrypt").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = text_in(request, "payload");
    return payload_json(shared::hash_password(payload));
  });

  CROW_ROUTE(app, "/test/status")([] { return text("OK"); });

  CROW_ROUTE(app, "/test/labels/<string>")
  ([](const std::string& label) { return text(shared::percent_decoded(label)); });

  CROW_ROUTE(app, "/test").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto message = text_in(request, "message");
    std::this_thread::sleep_for(shared::processing());
    return crow::json::wvalue({{"message", message}, {"note", shared::processing_note()}});
  });
}
