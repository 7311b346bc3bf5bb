#include "shared/work.hpp"

#include <crypt.h>

#include <array>
#include <cstdio>
#include <memory>

#include "shared/misfit.hpp"
#include "shared/settings.hpp"

namespace shared {

namespace {

constexpr auto BCRYPT = "$2b$";
constexpr int COST = 10;

using Milliseconds = std::chrono::duration<double, std::milli>;

Milliseconds processing_ms() {
  static const Milliseconds time(std::stod(setting("PROCESSING_MS", "0")));
  return time;
}

}  // namespace

std::chrono::microseconds processing() {
  return std::chrono::duration_cast<std::chrono::microseconds>(processing_ms());
}

std::string greeting(const std::string& name) { return "Hello, " + name; }

std::string hash_password(const std::string& password) {
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> salt;
  crypt_gensalt_rn(BCRYPT, COST, nullptr, 0, salt.data(), salt.size());
  const auto data = std::make_unique<crypt_data>();  // 32 kB, which have to be zero
  const char* hash = crypt_rn(password.c_str(), salt.data(), data.get(), sizeof(crypt_data));
  if (hash == nullptr) throw Misfit("bcrypt cannot take this text");
  return hash;
}

std::string processing_note() {
  std::array<char, 64> note;
  std::snprintf(note.data(), note.size(), "handled for %g ms", processing_ms().count());
  return note.data();
}

}  // namespace shared
