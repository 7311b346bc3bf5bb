#pragma once

#include <httplib.h>

#include <cstdint>
#include <string>

#include "shared/misfit.hpp"
#include "shared/parameters.hpp"

constexpr auto JSON = "application/json";
constexpr auto TEXT = "text/plain; charset=utf-8";

/// The integer that the path has in the first group of its pattern.
inline std::int32_t id_of(const httplib::Request& request) {
  const auto id = shared::integer_of(request.matches[1].str());
  if (!id) throw shared::Misfit("the id is too long");
  return *id;
}
