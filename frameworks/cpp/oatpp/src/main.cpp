#include <cstdlib>
#include <memory>
#include <oatpp/network/Server.hpp>
#include <thread>

#include "components.hpp"
#include "documentation.hpp"
#include "hello.hpp"
#include "issue_tracker_raw.hpp"
#include "issue_tracker_typed.hpp"
#include "parts.hpp"
#include "registry.hpp"
#include "shared/termination.hpp"
#include "workload_raw.hpp"
#include "workload_typed.hpp"

int main() {
  const shared::Termination termination;
  oatpp::base::Environment::init();

  const Components components;
  OATPP_COMPONENT(std::shared_ptr<oatpp::web::server::HttpRouter>, router);
  OATPP_COMPONENT(std::shared_ptr<oatpp::network::ServerConnectionProvider>, connections);
  OATPP_COMPONENT(std::shared_ptr<oatpp::network::ConnectionHandler>, handler);

  const auto parts = std::make_shared<Parts>();
  const auto registry = std::make_shared<Registry>();
  parts->add_routes(*router);
  router->addController(std::make_shared<Hello>());
  router->addController(std::make_shared<IssueTrackerRaw>());
  router->addController(std::make_shared<IssueTrackerTyped>());
  router->addController(std::make_shared<WorkloadRaw>());
  router->addController(std::make_shared<WorkloadTyped>());
  router->addController(registry);
  router->addController(std::make_shared<Documentation>(registry->getEndpoints()));

  oatpp::network::Server server(connections, handler);
  std::thread([&server] { server.run(); }).detach();
  termination.wait();
  // Oat++'s own way to stop cuts off all connections, and then waits for whatever their coroutines wait for.
  std::quick_exit(EXIT_SUCCESS);
}
