#pragma once

#include <httplib.h>

#include "shared/blocking_source.hpp"
#include "shared/json.hpp"
#include "shared/solr.hpp"

using Source = shared::BlockingSource<shared::json>;

void add_issue_tracker_raw(httplib::Server& server, Source& source);
void add_issue_tracker_typed(httplib::Server& server, Source& source);

/// The workload raw, and what has no variants.
void add_workload(httplib::Server& server);
void add_workload_typed(httplib::Server& server);

void add_registry(httplib::Server& server, shared::Solr& solr);
