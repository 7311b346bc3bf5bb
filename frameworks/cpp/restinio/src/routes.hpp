#pragma once

#include "http.hpp"
#include "shared/solr.hpp"
#include "shared/thread_pool.hpp"

void add_issue_tracker_raw(Router& router, Source& source);
void add_issue_tracker_typed(Router& router, Source& source);

/// The workload raw, and what has no variants. `threads` take what would block the event loop.
void add_workload(Router& router, const shared::Wait& wait, shared::ThreadPool& threads);
void add_workload_typed(Router& router, const shared::Wait& wait);

/// What Solr answers is handled on `loop`.
void add_registry(Router& router, shared::Solr& solr, restinio::asio_ns::io_context& loop);
