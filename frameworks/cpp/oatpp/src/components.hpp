#pragma once

#include <cstdint>
#include <memory>
#include <oatpp/core/async/Executor.hpp>
#include <oatpp/core/macro/component.hpp>
#include <oatpp/parser/json/mapping/ObjectMapper.hpp>
#include <oatpp/web/server/AsyncHttpConnectionHandler.hpp>
#include <oatpp/web/server/HttpRouter.hpp>

#include "connections.hpp"
#include "date_time.hpp"
#include "shared/settings.hpp"
#include "shared/solr.hpp"
#include "shared/thread_pool.hpp"
#include "source.hpp"
#include "timer.hpp"

/// What OATPP_COMPONENT gives to controllers and to main.
class Components {
 public:
  OATPP_CREATE_COMPONENT(std::shared_ptr<Timer>, timer)(std::make_shared<Timer>());
  OATPP_CREATE_COMPONENT(std::shared_ptr<Source>, source)(std::make_shared<Source>(timer.getObject()));
  OATPP_CREATE_COMPONENT(std::shared_ptr<shared::Solr>, solr)(std::make_shared<shared::Solr>());
  OATPP_CREATE_COMPONENT(std::shared_ptr<shared::ThreadPool>, threads)(std::make_shared<shared::ThreadPool>());

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::data::mapping::ObjectMapper>, mapper)([] {
    auto mapper = oatpp::parser::json::mapping::ObjectMapper::createShared();
    mapper->getSerializer()->getConfig()->includeNullFields = false;
    mapper->getSerializer()->getConfig()->enabledInterpretations = {DateTime::Class::INTERPRETATION};
    return mapper;
  }());

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::web::server::HttpRouter>, router)
  (oatpp::web::server::HttpRouter::createShared());

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::network::ServerConnectionProvider>, connections)
  (std::make_shared<Connections>(oatpp::network::Address{"0.0.0.0", static_cast<std::uint16_t>(shared::port())}));

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::async::Executor>, executor)
  (std::make_shared<oatpp::async::Executor>(shared::workers()));

  OATPP_CREATE_COMPONENT(std::shared_ptr<oatpp::network::ConnectionHandler>, handler)
  (oatpp::web::server::AsyncHttpConnectionHandler::createShared(router.getObject(), executor.getObject()));
};
