#include <curl/curl.h>

#include <memory>
#include <string>
#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw_work.hpp"
#include "shared/work.hpp"

using crow::HTTPMethod;

namespace {

/// Crow hands out the parts of a path as they came.
std::string percent_decoded(const std::string& text) {
  int length = 0;
  const std::unique_ptr<char, decltype(&curl_free)> decoded(
      curl_easy_unescape(nullptr, text.data(), static_cast<int>(text.size()), &length), curl_free);
  return {decoded.get(), static_cast<std::size_t>(length)};
}

}  // namespace

void add_workload(crow::SimpleApp& app) {
  CROW_ROUTE(app, "/test/simple/raw").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = shared::read_payload(request.body);
    return json(shared::payload_json(shared::greeting(payload)));
  });

  CROW_ROUTE(app, "/test/timed/raw").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = shared::read_payload(request.body);
    std::this_thread::sleep_for(shared::TIMED);
    return json(shared::payload_json(shared::greeting(payload)));
  });

  CROW_ROUTE(app, "/test/bcrypt").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto payload = shared::read_payload(request.body);
    return json(shared::payload_json(shared::hash_password(payload)));
  });

  CROW_ROUTE(app, "/test/status")([] { return text("OK"); });

  CROW_ROUTE(app, "/test/labels/<string>")([](const std::string& label) { return text(percent_decoded(label)); });

  CROW_ROUTE(app, "/test").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto message = shared::read_message(request.body);
    std::this_thread::sleep_for(shared::processing());
    return json(shared::handled_json(message));
  });
}
