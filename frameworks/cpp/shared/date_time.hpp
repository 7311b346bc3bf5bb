#pragma once

#include <chrono>
#include <string>

namespace shared {

using DateTime = std::chrono::sys_seconds;

/// Of RFC 3339 in UTC, as 2026-11-09T08:00:00Z. Throws Misfit.
DateTime parse_date_time(const std::string& text);

/// As RFC 3339 in UTC.
std::string format_date_time(DateTime time);

}  // namespace shared
