#include "workload.hpp"

#include <utility>

#include "shared/misfit.hpp"
#include "shared/work.hpp"

using drogon::HttpRequestPtr;

namespace {

/// Returns the text under that name of the body. Throws Misfit.
std::string text_in(const Json::Value& body, const char* name) {
  if (!body.isObject() || !body[name].isString()) throw shared::Misfit(std::string(name) + " is no text");
  return body[name].asString();
}

Json::Value payload_json(const std::string& payload) {
  Json::Value json;
  json["payload"] = payload;
  return json;
}

}  // namespace

void Workload::simple(Json::Value&& body, Callback&& callback) {
  callback(plain_json(payload_json(shared::greeting(text_in(body, "payload")))));
}

void Workload::timed(Json::Value&& body, Callback&& callback) {
  call_after(shared::TIMED, [payload = text_in(body, "payload"), callback = std::move(callback)] {
    callback(plain_json(payload_json(shared::greeting(payload))));
  });
}

void Workload::bcrypt(Json::Value&& body, Callback&& callback) {
  threads_.submit([payload = text_in(body, "payload"), callback = std::move(callback)] {
    try {
      callback(plain_json(payload_json(shared::hash_password(payload))));
    } catch (const shared::Misfit& misfit) {
      callback(text(misfit.what(), drogon::k400BadRequest));
    }
  });
}

void Workload::status(const HttpRequestPtr&, Callback&& callback) { callback(text("OK")); }

void Workload::label(const HttpRequestPtr&, Callback&& callback, const std::string& label) { callback(text(label)); }

void Workload::queue(Json::Value&& body, Callback&& callback) {
  call_after(shared::processing(), [message = text_in(body, "message"), callback = std::move(callback)] {
    Json::Value json;
    json["message"] = message;
    json["note"] = shared::processing_note();
    callback(plain_json(json));
  });
}
