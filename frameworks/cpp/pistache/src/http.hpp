#pragma once

#include <pistache/http.h>
#include <pistache/router.h>

#include <cstdint>
#include <memory>
#include <string>

#include "shared/async_source.hpp"
#include "shared/json.hpp"

namespace Http = Pistache::Http;
namespace Rest = Pistache::Rest;

using Source = shared::AsyncSource<shared::json>;

/// A response that is sent when there is something to send: callbacks can be copied, and Pistache's writer cannot.
using Later = std::shared_ptr<Http::ResponseWriter>;

Later later(Http::ResponseWriter response);

void send_json(Http::ResponseWriter& response, const std::string& json, Http::Code code = Http::Code::Ok);
void send_text(Http::ResponseWriter& response, const std::string& text);

/// The integer in the path, `:id`. Throws Misfit.
std::int32_t id_of(const Rest::Request& request);
