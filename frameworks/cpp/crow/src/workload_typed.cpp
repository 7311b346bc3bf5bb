#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/work.hpp"

using crow::HTTPMethod;
using shared::Payload;

void add_workload_typed(crow::SimpleApp& app) {
  CROW_ROUTE(app, "/test/simple/typed").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto sent = shared::read<Payload>(request.body);
    return json(shared::write(Payload{shared::greeting(sent.payload)}));
  });

  CROW_ROUTE(app, "/test/timed/typed").methods(HTTPMethod::POST)([](const crow::request& request) {
    const auto sent = shared::read<Payload>(request.body);
    std::this_thread::sleep_for(shared::TIMED);
    return json(shared::write(Payload{shared::greeting(sent.payload)}));
  });
}
