#pragma once

#include <crow.h>

#include "shared/blocking_source.hpp"
#include "shared/solr.hpp"

using Source = shared::BlockingSource<crow::json::wvalue>;

void add_issue_tracker_raw(crow::SimpleApp& app, Source& source);
void add_issue_tracker_typed(crow::SimpleApp& app, Source& source);

/// The workload raw, and what has no variants.
void add_workload(crow::SimpleApp& app);
void add_workload_typed(crow::SimpleApp& app);

void add_registry(crow::SimpleApp& app, shared::Solr& solr);
