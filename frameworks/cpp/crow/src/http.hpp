#pragma once

#include <crow.h>

#include <cstdint>
#include <string>

crow::response json(std::string text, crow::status status = crow::status::OK);
crow::response text(std::string text, crow::status status = crow::status::OK);

/// The integer in a path. Crow's <int> has 64 bits and a sign. Throws Misfit where the contract's 31 bits do not hold it.
std::int32_t id_of(std::int64_t number);

/// Of what a handler throws. Crow calls it while it handles the exception.
void answer_exception(crow::response& response);
