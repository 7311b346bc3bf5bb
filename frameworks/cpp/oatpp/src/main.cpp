#include <cstdlib>
#include <oatpp/network/Server.hpp>
#include <oatpp/network/tcp/server/ConnectionProvider.hpp>
#include <oatpp/parser/json/mapping/ObjectMapper.hpp>
#include <thread>

#include "handlers.hpp"
#include "hello.hpp"
#include "issue_tracker.hpp"
#include "registry.hpp"
#include "shared/settings.hpp"
#include "shared/termination.hpp"
#include "workload.hpp"

/// What OATPP_COMPONENT gives to controllers and to main.
class AppComponent {
 public:
  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::network::ServerConnectionProvider>, connection_provider)
  (oatpp::network::tcp::server::ConnectionProvider::createShared({"0.0.0.0", static_cast<v_uint16>(shared::port()),
                                                                  oatpp::network::Address::IP_4}));

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::web::server::HttpRouter>, router)
  (oatpp::web::server::HttpRouter::createShared());

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::network::ConnectionHandler>, connection_handler)
  ([this] {
    const auto config = std::make_shared<oatpp::web::server::HttpProcessor::Config>();
    config->headersOutBufferInitial = 64 * 1024;  // an answer that fits into it is one write
    const auto handler = std::make_shared<ConnectionHandler>(
        std::make_shared<oatpp::web::server::HttpProcessor::Components>(router.getObject(), config));
    handler->setErrorHandler(std::make_shared<ErrorHandler>());
    return handler;
  }());

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::data::mapping::ObjectMapper>, mapper)
  ([] {
    const auto mapper = oatpp::parser::json::mapping::ObjectMapper::createShared();
    mapper->getSerializer()->getConfig()->includeNullFields = false;
    mapper->getSerializer()->getConfig()->alwaysIncludeNullCollectionElements = true;
    return mapper;
  }());
};

int main() {
  const shared::Termination termination;
  oatpp::base::Environment::init();
  const AppComponent components;

  OATPP_COMPONENT(std::shared_ptr<oatpp::web::server::HttpRouter>, router);
  const auto issue_tracker = std::make_shared<IssueTracker>();
  issue_tracker->add_parts(*router);
  router->addController(issue_tracker);
  router->addController(std::make_shared<Hello>());
  router->addController(std::make_shared<Workload>());
  router->addController(std::make_shared<Registry>());

  OATPP_COMPONENT(std::shared_ptr<oatpp::network::ServerConnectionProvider>, connection_provider);
  OATPP_COMPONENT(std::shared_ptr<oatpp::network::ConnectionHandler>, connection_handler);
  oatpp::network::Server server(connection_provider, connection_handler);
  std::thread([&server] { server.run(); }).detach();
  termination.wait();
  std::quick_exit(EXIT_SUCCESS);  // Oat++'s stop() waits for all handlers, also for those that wait or compute a hash
}
