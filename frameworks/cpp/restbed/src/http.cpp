#include "http.hpp"

#include <cstddef>
#include <utility>

namespace {

using Headers = std::multimap<std::string, std::string>;

/// Whether the client will use its connection again.
bool keeps_connection(const restbed::Request& request) {
  constexpr double HTTP_1_1 = 1.1;
  const std::string connection = request.get_header("Connection", restbed::String::lowercase);
  return request.get_version() < HTTP_1_1 ? connection == "keep-alive" : connection != "close";
}

void answer(const Session& session, int status, const std::string& body, Headers headers) {
  if (keeps_connection(*session->get_request())) {
    headers.emplace("Connection", "keep-alive");
    session->yield(status, body, headers);
  } else {
    headers.emplace("Connection", "close");
    session->close(status, body, headers);
  }
}

Headers headers_of(const std::string& body, const std::string& type) {
  return {{"Content-Type", type}, {"Content-Length", std::to_string(body.size())}};
}

constexpr auto TEXT = "text/plain; charset=utf-8";

}  // namespace

void publish(restbed::Service& service, const std::string& path, const std::map<std::string, Handler>& handlers) {
  const auto resource = std::make_shared<restbed::Resource>();
  resource->set_path(path);
  for (const auto& [method, handler] : handlers) resource->set_method_handler(method, handler);
  service.publish(resource);
}

void answer_json(const Session& session, const std::string& json, int status) {
  answer(session, status, json, headers_of(json, "application/json"));
}

void answer_text(const Session& session, const std::string& text, int status) {
  answer(session, status, text, headers_of(text, TEXT));
}

void answer_nothing(const Session& session, int status) {
  answer(session, status, "", status == restbed::NO_CONTENT ? Headers{} : Headers{{"Content-Length", "0"}});
}

void answer_error(int status, const std::exception& error, const Session& session) {
  // Restbed has no session to show for a connection that was idle for too long.
  if (session == nullptr) return;
  // Restbed repeats a write that has failed, and then keeps the session until it times out. When it is asked for the
  // origin, it notices that the client is gone, and lets go of the session.
  session->get_origin();
  if (session->is_closed()) return;
  // The connection ends, because Restbed reports only the first error of a session.
  const std::string message = error.what();
  Headers headers = headers_of(message, TEXT);
  headers.emplace("Connection", "close");
  session->close(status, message, headers);
}

std::int32_t id_of(const Session& session) {
  const std::int32_t id = session->get_request()->get_path_parameter("id", -1);
  if (id < 0) throw int(restbed::NOT_FOUND);
  return id;
}

void fetch_body(const Session& session, std::function<void(const Session&, const std::string&)> callback) {
  const auto request = session->get_request();
  if (request->has_header("Transfer-Encoding")) throw int(restbed::LENGTH_REQUIRED);
  const std::size_t length = request->get_header("Content-Length", 0);
  session->fetch(length, [callback = std::move(callback)](const Session& session, const restbed::Bytes& body) {
    callback(session, restbed::String::to_string(body));
  });
}

void wait(const Session& session, std::chrono::microseconds time, shared::Callback callback) {
  if (time <= time.zero()) return callback();
  session->sleep_for(std::chrono::ceil<std::chrono::milliseconds>(time),
                     [callback = std::move(callback)](const Session&) { callback(); });
}
