#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <restbed>
#include <string>

#include "shared/async_source.hpp"
#include "shared/json.hpp"

/// A connection of a client, with its request.
using Session = std::shared_ptr<restbed::Session>;
using Handler = std::function<void(const Session)>;

/// Publishes a path with the handlers of its methods.
void publish(restbed::Service& service, const std::string& path, const std::map<std::string, Handler>& handlers);

void answer_json(const Session& session, const std::string& json, int status = restbed::OK);
void answer_text(const Session& session, const std::string& text, int status = restbed::OK);

/// Answers without a body.
void answer_nothing(const Session& session, int status = restbed::NO_CONTENT);

/// Answers what Restbed reports: a request that it cannot read, or what a handler has thrown.
void answer_error(int status, const std::exception& error, const Session& session);

/// The integer in the path of a route, `{id}`. Throws what Restbed answers with 404.
std::int32_t id_of(const Session& session);

/// Calls back with the body, which Restbed reads only when it is asked for.
void fetch_body(const Session& session, std::function<void(const Session&, const std::string&)> callback);

/// Calls back after that time, and blocks no thread meanwhile. A session waits for one thing at a time.
void wait(const Session& session, std::chrono::microseconds time, shared::Callback callback);

/// Answers as `answer` does; a Misfit is answered with 400.
template <class Answer>
void unless_misfit(const Session& session, Answer answer) {
  try {
    answer();
  } catch (const shared::Misfit& misfit) {
    answer_text(session, misfit.what(), restbed::BAD_REQUEST);
  }
}

/// A handler that gets, as its last parameter, what `parse` makes of the body.
template <class Parse, class Handle>
Handler with_body(Parse parse, Handle handle) {
  return [=](const Session& session) {
    fetch_body(session, [=](const Session& session, const std::string& body) {
      unless_misfit(session, [&] { handle(session, parse(body)); });
    });
  };
}
