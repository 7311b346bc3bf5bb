#pragma once

#include <drogon/drogon.h>

#include <chrono>
#include <functional>
#include <string>

#include "shared/async_source.hpp"
#include "shared/json.hpp"
#include "shared/models.hpp"
#include "shared/work.hpp"

using Callback = std::function<void(const drogon::HttpResponsePtr&)>;

using Source = shared::AsyncSource<Json::Value>;

/// Returns a plain value. Throws Misfit where the text is not an object or an array of JSON.
Json::Value parse_json(const std::string& text);

drogon::HttpResponsePtr plain_json(const Json::Value& value, drogon::HttpStatusCode code = drogon::k200OK);

/// The response with the JSON text of a declared type.
template <class T>
drogon::HttpResponsePtr typed_json(const T& value, drogon::HttpStatusCode code = drogon::k200OK) {
  const auto response = drogon::HttpResponse::newHttpResponse(code, drogon::CT_APPLICATION_JSON);
  response->setBody(shared::write(value));
  return response;
}

drogon::HttpResponsePtr text(std::string body, drogon::HttpStatusCode code = drogon::k200OK);
drogon::HttpResponsePtr no_content();

/// Calls back after that time, on the event loop of the thread that calls.
void call_after(std::chrono::microseconds time, shared::Callback callback);

/// How Drogon makes the first parameter of a handler from a request. These functions throw Misfit.
namespace drogon {

template <>
Json::Value fromRequest(const HttpRequest& request);

template <>
shared::TaskIn fromRequest(const HttpRequest& request);

template <>
shared::Payload fromRequest(const HttpRequest& request);

}  // namespace drogon
