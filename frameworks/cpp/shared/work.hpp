#pragma once

#include <chrono>
#include <string>

#include "shared/json.hpp"

/// The business logic of the suite `workload`, the same in every entry. The framework decides how to run it.
namespace shared {

/// The body of the typed simple and timed, and their answer.
struct Payload {
  std::string payload;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Payload, payload)

constexpr std::chrono::microseconds TIMED = std::chrono::milliseconds(20);

/// Returns how long a message of the queue is handled.
std::chrono::microseconds processing();

std::string greeting(const std::string& name);

/// Takes about 50 ms of CPU time: do not call it on an event loop. Throws Misfit where bcrypt cannot take the text.
std::string hash_password(const std::string& password);

/// Returns the note on a message that has been handled.
std::string processing_note();

}  // namespace shared
