#pragma once

#include <string>

/// The workload without declared types: how each body is read, and each answer written.
namespace shared {

/// Returns the text under `payload`. Throws Misfit where there is none.
std::string read_payload(const std::string& body);

/// Returns the text under `message`. Throws Misfit where there is none.
std::string read_message(const std::string& body);

std::string payload_json(const std::string& payload);

/// Returns the answer to a message that has been handled.
std::string handled_json(const std::string& message);

}  // namespace shared
