#pragma once

#include <string>

#include "shared/codec.hpp"
#include "shared/misfit.hpp"
#include "shared/rows.hpp"

namespace shared {

/// Returns the fields of a task from a plain JSON value. Their values may be anything, and other fields are ignored.
/// Throws Misfit where a field is missing.
template <class Json>
Json task_of(const Json& body) {
  using Traits = JsonTraits<Json>;
  Json task = Traits::object();
  for (const char* field : TASK_FIELDS) {
    const auto* value = Traits::find(body, field);
    if (value == nullptr) throw Misfit(std::string(field) + " is missing");
    Traits::set(task, field, *value);
  }
  return task;
}

}  // namespace shared
