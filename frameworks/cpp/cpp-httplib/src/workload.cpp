#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/json.hpp"
#include "shared/work.hpp"

using httplib::Request;
using httplib::Response;
using shared::Message;
using shared::Payload;

void add_workload(httplib::Server& server) {
  server.Post("/test/simple", [](const Request& request, Response& response) {
    const auto payload = shared::read<Payload>(request.body);
    response.set_content(shared::write(shared::greeting(payload)), JSON);
  });

  server.Post("/test/timed", [](const Request& request, Response& response) {
    const auto payload = shared::read<Payload>(request.body);
    std::this_thread::sleep_for(shared::TIMED);
    response.set_content(shared::write(shared::greeting(payload)), JSON);
  });

  server.Post("/test/bcrypt", [](const Request& request, Response& response) {
    const auto payload = shared::read<Payload>(request.body);
    response.set_content(shared::write(shared::hash_password(payload)), JSON);
  });

  server.Get("/test/status", [](const Request&, Response& response) { response.set_content("OK", TEXT); });

  server.Get("/test/labels/([^/]+)",
             [](const Request& request, Response& response) { response.set_content(request.matches[1].str(), TEXT); });

  server.Post("/test", [](const Request& request, Response& response) {
    const auto message = shared::read<Message>(request.body);
    std::this_thread::sleep_for(shared::processing());
    response.set_content(shared::write(shared::handled(message)), JSON);
  });
}
