#pragma once

#include <cstdlib>
#include <string>

namespace shared {

/// Returns a variable of the environment, or its default.
inline std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

inline int port() { return std::stoi(setting("PORT", "8080")); }

/// The number of threads to answer requests in.
inline int workers() { return std::stoi(setting("WORKERS", "1")); }

}  // namespace shared
