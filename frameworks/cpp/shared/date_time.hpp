#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace shared {

using DateTime = std::chrono::sys_seconds;

/// Reads a time of RFC 3339 in UTC, such as 2026-11-09T08:00:00Z. Throws Misfit for another text.
DateTime parse_date_time(std::string_view text);

/// Writes a time as RFC 3339 in UTC.
std::string format_date_time(DateTime time);

}  // namespace shared
