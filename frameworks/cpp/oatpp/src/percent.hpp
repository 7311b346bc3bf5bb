#pragma once

#include <charconv>
#include <string>
#include <string_view>

/// Decodes a segment of a path once. What is no escape stays as it is. Oat++ leaves paths encoded.
inline std::string percent_decoded(std::string_view encoded) {
  std::string decoded;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    unsigned char byte = 0;
    const auto digits = encoded.substr(i + 1, 2);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    const bool is_escape = encoded[i] == '%' && digits.size() == 2 && stop == digits.data() + 2 && error == std::errc();
    decoded += is_escape ? static_cast<char>(byte) : encoded[i];
    if (is_escape) i += digits.size();
  }
  return decoded;
}
