#pragma once

#include <cpprest/http_msg.h>

#include "json_types.hpp"
#include "router.hpp"
#include "shared/thread_pool.hpp"
#include "source.hpp"

void add_issue_tracker_raw(Router& router, Source& source);
void add_issue_tracker_typed(Router& router, Source& source);

/// The workload raw, and what has no variants.
void add_workload(Router& router, shared::ThreadPool& pool);
void add_workload_typed(Router& router);

void add_registry(Router& router);

/// A declared type out of the body. The task throws Misfit, or what the C++ REST SDK throws of bodies that are not
/// JSON.
template <class T>
pplx::task<T> read(const web::http::http_request& request) {
  return request.extract_json().then([](const web::json::value& body) {
    T read;
    from_json(body, read);
    return read;
  });
}
