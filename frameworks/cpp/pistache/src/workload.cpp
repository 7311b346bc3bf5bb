#include "workload.hpp"

#include <utility>

#include "reactor.hpp"
#include "shared/parameters.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

using shared::json;

Workload::Workload(shared::ThreadPool& threads, Rest::Router& router) : threads_(threads) {
  using Rest::Routes::bind;
  Rest::Routes::Post(router, "/test/simple/raw", bind(&Workload::simple, this));
  Rest::Routes::Post(router, "/test/timed/raw", bind(&Workload::timed, this));
  Rest::Routes::Post(router, "/test/bcrypt", bind(&Workload::bcrypt, this));
  Rest::Routes::Get(router, "/test/status", bind(&Workload::status, this));
  Rest::Routes::Get(router, "/test/labels/:label", bind(&Workload::label, this));
  Rest::Routes::Post(router, "/test", bind(&Workload::queue, this));
}

void Workload::simple(const Rest::Request& request, Http::ResponseWriter response) {
  const auto payload = shared::text_in(shared::parse_json(request.body()), "payload");
  send_json(response, json{{"payload", shared::greeting(payload)}}.dump());
}

void Workload::timed(const Rest::Request& request, Http::ResponseWriter response) {
  auto payload = shared::text_in(shared::parse_json(request.body()), "payload");
  reactor::wait(shared::TIMED, [payload = std::move(payload), response = later(std::move(response))] {
    send_json(*response, json{{"payload", shared::greeting(payload)}}.dump());
  });
}

void Workload::bcrypt(const Rest::Request& request, Http::ResponseWriter response) {
  auto payload = shared::text_in(shared::parse_json(request.body()), "payload");
  threads_.submit([payload = std::move(payload), response = later(std::move(response))] {
    try {
      send_json(*response, json{{"payload", shared::hash_password(payload)}}.dump());
    } catch (const shared::Misfit& misfit) {
      response->send(Http::Code::Bad_Request, misfit.what());
    }
  });
}

void Workload::status(const Rest::Request&, Http::ResponseWriter response) { send_text(response, "OK"); }

void Workload::label(const Rest::Request& request, Http::ResponseWriter response) {
  send_text(response, shared::percent_decoded(request.param(":label").as<std::string>()));
}

void Workload::queue(const Rest::Request& request, Http::ResponseWriter response) {
  auto message = shared::text_in(shared::parse_json(request.body()), "message");
  reactor::wait(shared::processing(), [message = std::move(message), response = later(std::move(response))] {
    send_json(*response, json{{"message", message}, {"note", shared::processing_note()}}.dump());
  });
}
