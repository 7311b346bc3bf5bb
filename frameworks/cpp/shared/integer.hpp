#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shared {

/// Returns the 32-bit integer that a text is, or nothing where any part of the text is something else.
inline std::optional<std::int32_t> integer_of(std::string_view text) {
  std::int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace shared
