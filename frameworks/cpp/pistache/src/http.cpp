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
  const auto id = shared::integer_of(request.param(":id").as<std::string>());
  if (!id || *id < 0) throw Http::HttpError(Http::Code::Not_Found, "the path has no such integer");
  return *id;
}
