#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

using httplib::Request;
using httplib::Response;

void add_workload(httplib::Server& server) {
  server.Post("/test/simple/raw", [](const Request& request, Response& response) {
    const auto payload = shared::read_payload(request.body);
    response.set_content(shared::payload_json(shared::greeting(payload)), JSON);
  });

  server.Post("/test/timed/raw", [](const Request& request, Response& response) {
    const auto payload = shared::read_payload(request.body);
    std::this_thread::sleep_for(shared::TIMED);
    response.set_content(shared::payload_json(shared::greeting(payload)), JSON);
  });

  server.Post("/test/bcrypt", [](const Request& request, Response& response) {
    const auto payload = shared::read_payload(request.body);
    response.set_content(shared::payload_json(shared::hash_password(payload)), JSON);
  });

  server.Get("/test/status", [](const Request&, Response& response) { response.set_content("OK", TEXT); });

  server.Get("/test/labels/([^/]+)",
             [](const Request& request, Response& response) { response.set_content(request.matches[1].str(), TEXT); });

  server.Post("/test", [](const Request& request, Response& response) {
    const auto message = shared::read_message(request.body);
    std::this_thread::sleep_for(shared::processing());
    response.set_content(shared::handled_json(message), JSON);
  });
}
