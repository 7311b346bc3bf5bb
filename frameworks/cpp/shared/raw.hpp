#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "shared/json.hpp"

/// The issue tracker's answers without declared types: how each is written from a row of the data source.
namespace shared {

std::string user_json(const json& row, std::int32_t user_id);
std::string board_json(const json& row, std::int32_t sprint_id);

/// Callbacks can be copied, and RapidJSON's documents cannot.
using SharedJson = std::shared_ptr<json>;

/// Returns the fields of a task from a body. Throws Misfit.
SharedJson read_task(const std::string& body);

/// `task` has the fields of the body.
std::string task_json(const json& row, std::int32_t board_id, json task);

}  // namespace shared
