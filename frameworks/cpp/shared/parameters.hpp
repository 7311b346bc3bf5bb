#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>

/// What frameworks leave to the app when they read paths and queries.
namespace shared {

/// Returns the 32-bit integer that a text is, or nothing where any part of the text is something else.
inline std::optional<std::int32_t> integer_of(std::string_view text) {
  std::int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// Returns how often a URL's query, the text after its question mark, has that parameter. It is for frameworks that
/// keep one value of several.
inline std::ptrdiff_t times_given(std::string_view query, std::string_view name) {
  return std::ranges::count_if(std::views::split(query, '&'), [name](auto part) {
    const std::string_view parameter(part.begin(), part.end());
    return parameter.substr(0, parameter.find('=')) == name;
  });
}

}  // namespace shared
