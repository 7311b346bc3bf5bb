#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>

namespace shared {

/// How often the query of a URL, what follows its question mark, has that parameter: for frameworks that keep one of
/// several.
inline std::ptrdiff_t times_given(std::string_view query, std::string_view name) {
  return std::ranges::count_if(std::views::split(query, '&'), [name](auto part) {
    const std::string_view parameter(part.begin(), part.end());
    return parameter.substr(0, parameter.find('=')) == name;
  });
}

}  // namespace shared
