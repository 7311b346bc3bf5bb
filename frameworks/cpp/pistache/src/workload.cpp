#include "workload.hpp"

#include <curl/curl.h>

#include <utility>

#include "reactor.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

namespace {

/// Pistache hands out the parts of a path as they came.
std::string percent_decoded(const std::string& text) {
  int length = 0;
  const std::unique_ptr<char, decltype(&curl_free)> decoded(
      curl_easy_unescape(nullptr, text.data(), static_cast<int>(text.size()), &length), curl_free);
  return {decoded.get(), static_cast<std::size_t>(length)};
}

}  // namespace

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
  send_json(response, shared::payload_json(shared::greeting(shared::read_payload(request.body()))));
}

void Workload::timed(const Rest::Request& request, Http::ResponseWriter response) {
  reactor::wait(shared::TIMED, [payload = shared::read_payload(request.body()), response = later(std::move(response))] {
    send_json(*response, shared::payload_json(shared::greeting(payload)));
  });
}

void Workload::bcrypt(const Rest::Request& request, Http::ResponseWriter response) {
  threads_.submit([payload = shared::read_payload(request.body()), response = later(std::move(response))] {
    try {
      send_json(*response, shared::payload_json(shared::hash_password(payload)));
    } catch (const shared::Misfit& misfit) {
      response->send(Http::Code::Bad_Request, misfit.what());
    }
  });
}

void Workload::status(const Rest::Request&, Http::ResponseWriter response) { send_text(response, "OK"); }

void Workload::label(const Rest::Request& request, Http::ResponseWriter response) {
  send_text(response, percent_decoded(request.param(":label").as<std::string>()));
}

void Workload::queue(const Rest::Request& request, Http::ResponseWriter response) {
  reactor::wait(shared::processing(),
                [message = shared::read_message(request.body()), response = later(std::move(response))] {
                  send_json(*response, shared::handled_json(message));
                });
}
