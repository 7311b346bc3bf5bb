#pragma once

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "shared/misfit.hpp"

/// What frameworks leave to the app when they read paths and queries.
namespace shared {

/// Returns the 32-bit integer that a text is, or nothing where any part of the text is something else.
inline std::optional<std::int32_t> integer_of(std::string_view text) {
  std::int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// Returns the id, or the part, that a segment of a path is. Throws Misfit where it is none.
inline std::int32_t id_of(std::string_view segment) {
  const auto id = integer_of(segment);
  if (!id || *id < 0) throw Misfit("the path has no such integer");
  return *id;
}

/// Decodes a segment of a path, for frameworks that hand it out as it came.
inline std::string percent_decoded(const std::string& segment) {
  int length = 0;
  const std::unique_ptr<char, decltype(&curl_free)> decoded(
      curl_easy_unescape(nullptr, segment.data(), static_cast<int>(segment.size()), &length), curl_free);
  return {decoded.get(), static_cast<std::size_t>(length)};
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
