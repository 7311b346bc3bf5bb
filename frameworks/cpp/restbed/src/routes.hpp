#pragma once

#include "http.hpp"
#include "shared/solr.hpp"
#include "shared/thread_pool.hpp"
#include "source.hpp"

void add_issue_tracker_raw(restbed::Service& service, Source& source);
void add_issue_tracker_typed(restbed::Service& service, Source& source);

/// The workload raw, and what has no variants. `threads` take what would block the event loop.
void add_workload(restbed::Service& service, shared::ThreadPool& threads);
void add_workload_typed(restbed::Service& service);

/// What Solr answers is handled on the event loop.
void add_registry(restbed::Service& service, shared::Solr& solr);
