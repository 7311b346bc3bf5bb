#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>

namespace shared {

/// Returns how often a URL's query, the text after its question mark, has that parameter. It is for frameworks that
/// keep one value of several.
inline std::ptrdiff_t times_given(std::string_view query, std::string_view name) {
  return std::ranges::count_if(std::views::split(query, '&'), [name](auto part) {
    const std::string_view parameter(part.begin(), part.end());
    return parameter.substr(0, parameter.find('=')) == name;
  });
}

}  // namespace shared
