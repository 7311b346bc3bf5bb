#pragma once

#include <cpprest/json.h>

#include <vector>

#include "shared/models.hpp"
#include "shared/registry.hpp"
#include "shared/work.hpp"

/// How the declared types become web::json, and are read from it. What reads throws Misfit, or a json_exception of the
/// C++ REST SDK.

web::json::value as_json(const shared::User& user);
web::json::value as_json(const shared::Board& board);
web::json::value as_json(const shared::Task& task);
web::json::value as_json(const shared::Payload& payload);
web::json::value as_json(const std::vector<shared::Document>& documents);

void from_json(const web::json::value& json, shared::TaskIn& task);
void from_json(const web::json::value& json, shared::Payload& payload);
void from_json(const web::json::value& json, std::vector<shared::Document>& documents);
