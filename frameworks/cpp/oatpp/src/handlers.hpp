#pragma once

#include <exception>
#include <oatpp/web/server/HttpConnectionHandler.hpp>
#include <thread>

#include "shared/misfit.hpp"
#include "shared/solr.hpp"

/// Gives each connection a thread, as its base does. The base would also pin the threads to the first CPUs of the
/// machine, even where the process was given others.
class ConnectionHandler : public oatpp::web::server::HttpConnectionHandler {
  using Processor = oatpp::web::server::HttpProcessor;

 public:
  explicit ConnectionHandler(const std::shared_ptr<Processor::Components>& components)
      : HttpConnectionHandler(components), components_(components) {}

  void handleConnection(const oatpp::provider::ResourceHandle<IOStream>& connection,
                        const std::shared_ptr<const ParameterMap>&) override {
    std::thread(&Processor::Task::run, Processor::Task(components_, connection, this)).detach();
  }

 private:
  const std::shared_ptr<Processor::Components> components_;
};

/// Gives exceptions of endpoints their status. Oat++ gives all of them 500, except its own HttpError.
class ErrorHandler : public oatpp::web::server::handler::DefaultErrorHandler {
  using Status = oatpp::web::protocol::http::Status;
  using Response = oatpp::web::protocol::http::outgoing::Response;

 public:
  std::shared_ptr<Response> handleError(const Status& status, const oatpp::String& message,
                                        const Headers& headers) override {
    try {
      if (std::current_exception()) throw;  // Oat++ calls this where it catches
    } catch (const shared::Misfit&) {
      return DefaultErrorHandler::handleError(Status::CODE_400, message, headers);
    } catch (const shared::SolrUnavailable&) {
      return DefaultErrorHandler::handleError(Status::CODE_503, message, headers);
    } catch (...) {
    }
    return DefaultErrorHandler::handleError(status, message, headers);
  }
};
