#pragma once

#include <crow.h>

#include <cstdint>
#include <string>

crow::response json(std::string text, crow::status status = crow::status::OK);
crow::response text(std::string text, crow::status status = crow::status::OK);

/// Returns the body, which has to be an object of JSON. Throws Misfit.
crow::json::rvalue read_object(const crow::request& request);

/// Returns the integer of a path as the contract has it. Crow's <uint> has 64 bits. Throws Misfit.
std::int32_t id_of(std::uint64_t number);

/// Answers what a handler has thrown. Crow calls it while it catches that.
void answer_exception(crow::response& response);
