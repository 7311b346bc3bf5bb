#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

using httplib::Request;
using httplib::Response;
using shared::json;

void add_workload(httplib::Server& server) {
  server.Post("/test/simple/raw", [](const Request& request, Response& response) {
    const auto payload = shared::text_in(shared::parse_json(request.body), "payload");
    response.set_content(json{{"payload", shared::greeting(payload)}}.dump(), JSON);
  });

  server.Post("/test/timed/raw", [](const Request& request, Response& response) {
    const auto payload = shared::text_in(shared::parse_json(request.body), "payload");
    std::this_thread::sleep_for(shared::TIMED);
    response.set_content(json{{"payload", shared::greeting(payload)}}.dump(), JSON);
  });

  server.Post("/test/bcrypt", [](const Request& request, Response& response) {
    const auto payload = shared::text_in(shared::parse_json(request.body), "payload");
    response.set_content(json{{"payload", shared::hash_password(payload)}}.dump(), JSON);
  });

  server.Get("/test/status", [](const Request&, Response& response) { response.set_content("OK", TEXT); });

  server.Get("/test/labels/:label", [](const Request& request, Response& response) {
    response.set_content(request.path_params.at("label"), TEXT);
  });

  server.Post("/test", [](const Request& request, Response& response) {
    const auto message = shared::text_in(shared::parse_json(request.body), "message");
    std::this_thread::sleep_for(shared::processing());
    response.set_content(json{{"message", message}, {"note", shared::processing_note()}}.dump(), JSON);
  });
}
