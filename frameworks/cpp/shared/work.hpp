#pragma once

#include <chrono>
#include <string>
#include <tuple>

#include "shared/fields.hpp"

/// The business logic of the suite `workload`, the same in every entry. The framework decides how to run it.
namespace shared {

struct Payload {
  std::string payload;

  static constexpr auto fields = std::tuple{Field{"payload", &Payload::payload}};
};

struct Message {
  std::string message;

  static constexpr auto fields = std::tuple{Field{"message", &Message::message}};
};

struct Handled {
  std::string message;
  std::string note;

  static constexpr auto fields = std::tuple{Field{"message", &Handled::message}, Field{"note", &Handled::note}};
};

constexpr std::chrono::microseconds TIMED = std::chrono::milliseconds(20);

/// Returns how long a message of the queue is handled.
std::chrono::microseconds processing();

Payload greeting(const Payload& payload);

/// Takes about 50 ms of CPU time: do not call it on an event loop. Throws Misfit where bcrypt cannot take the text.
Payload hash_password(const Payload& payload);

/// Returns the answer to a message that has been handled.
Handled handled(const Message& message);

}  // namespace shared
