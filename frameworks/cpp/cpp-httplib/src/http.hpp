#pragma once

#include <httplib.h>

#include <cstdint>

#include "shared/parameters.hpp"

constexpr auto JSON = "application/json";
constexpr auto TEXT = "text/plain; charset=utf-8";

/// The integer in the path, `:id`. Throws Misfit.
inline std::int32_t id_of(const httplib::Request& request) { return shared::id_of(request.path_params.at("id")); }
