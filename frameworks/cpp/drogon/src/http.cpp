#include "http.hpp"

#include <memory>
#include <utility>

#include "shared/misfit.hpp"

using drogon::HttpResponse;
using drogon::HttpResponsePtr;
using drogon::HttpStatusCode;

namespace {

// Without strictMode, as in Drogon's own getJsonObject(), jsoncpp takes comments, a comma behind the last member, and
// text after the JSON.
Json::CharReaderBuilder strict_builder() {
  Json::CharReaderBuilder builder;
  Json::CharReaderBuilder::strictMode(&builder.settings_);
  return builder;
}

}  // namespace

Json::Value parse_json(const std::string& text) {
  static const Json::CharReaderBuilder builder = strict_builder();
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  Json::Value value;
  std::string errors;
  try {
    if (reader->parse(text.data(), text.data() + text.size(), &value, &errors)) return value;
  } catch (const Json::Exception& nested_too_deeply) {
    throw shared::Misfit(nested_too_deeply.what());
  }
  throw shared::Misfit(errors);
}

HttpResponsePtr plain_json(const Json::Value& value, HttpStatusCode code) {
  const auto response = HttpResponse::newHttpJsonResponse(value);
  response->setStatusCode(code);
  return response;
}

HttpResponsePtr text(std::string body, HttpStatusCode code) {
  const auto response = HttpResponse::newHttpResponse(code, drogon::CT_TEXT_PLAIN);
  response->setBody(std::move(body));
  return response;
}

HttpResponsePtr no_content() { return HttpResponse::newHttpResponse(drogon::k204NoContent, drogon::CT_NONE); }

void call_after(std::chrono::microseconds time, shared::Callback callback) {
  if (time <= time.zero()) return callback();
  trantor::EventLoop::getEventLoopOfCurrentThread()->runAfter(time, std::move(callback));
}

namespace drogon {

template <>
Json::Value fromRequest(const HttpRequest& request) {
  return parse_json(std::string(request.body()));
}

template <>
shared::TaskIn fromRequest(const HttpRequest& request) {
  return shared::read<shared::TaskIn>(std::string(request.body()));
}

template <>
shared::Payload fromRequest(const HttpRequest& request) {
  return shared::read<shared::Payload>(std::string(request.body()));
}

}  // namespace drogon
