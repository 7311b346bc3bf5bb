#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/work.hpp"

using httplib::Request;
using httplib::Response;
using shared::Payload;

void add_workload_typed(httplib::Server& server) {
  server.Post("/test/simple/typed", [](const Request& request, Response& response) {
    const auto sent = shared::read<Payload>(request.body);
    response.set_content(shared::write(Payload{shared::greeting(sent.payload)}), JSON);
  });

  server.Post("/test/timed/typed", [](const Request& request, Response& response) {
    const auto sent = shared::read<Payload>(request.body);
    std::this_thread::sleep_for(shared::TIMED);
    response.set_content(shared::write(Payload{shared::greeting(sent.payload)}), JSON);
  });
}
