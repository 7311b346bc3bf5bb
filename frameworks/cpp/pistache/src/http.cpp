#include "http.hpp"

#include <utility>

#include "shared/parameters.hpp"

Later later(Http::ResponseWriter response) { return std::make_shared<Http::ResponseWriter>(std::move(response)); }

void send_json(Http::ResponseWriter& response, const std::string& json, Http::Code code) {
  response.send(code, json, MIME(Application, Json));
}

void send_text(Http::ResponseWriter& response, const std::string& text) {
  static const auto PLAIN = Http::Mime::MediaType::fromString("text/plain; charset=utf-8");
  response.send(Http::Code::Ok, text, PLAIN);
}

std::int32_t id_of(const Rest::Request& request) {
  return shared::id_of(request.param(":id").as<std::string>());  // as<int>() would take 1x, and answer others with 500
}
