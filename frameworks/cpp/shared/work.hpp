#pragma once

#include <chrono>
#include <string>
#include <tuple>

#include "shared/fields.hpp"

/// The business logic of the suite `workload`, the same in every entry. How it is run is the framework's matter.
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

/// What a message of the queue is handled for.
std::chrono::microseconds processing();

Payload greeting(const Payload& payload);

/// Takes some 50 ms of a CPU: not for an event loop. Throws Misfit where bcrypt cannot take the text.
Payload hash_password(const Payload& payload);

/// The answer to a message that has been handled.
Handled handled(const Message& message);

}  // namespace shared
