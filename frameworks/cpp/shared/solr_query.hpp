#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shared/settings.hpp"

namespace shared {

/// Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error.
struct SolrUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The time limit of a whole request: connecting, waiting and reading.
constexpr std::chrono::milliseconds SOLR_TIMEOUT(1500);

inline std::string solr_url() { return setting("SOLR_URL", "http://localhost:8983/solr/performance"); }

/// The parameters of the request for all documents of a type, with their children nested. Not yet percent-encoded.
inline std::vector<std::pair<std::string, std::string>> solr_parameters(std::int32_t document_type) {
  // a bare minus sign is an operator of Solr's query language
  const auto type = (document_type < 0 ? "\\" : "") + std::to_string(document_type);
  return {
      {"fl", "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]"},
      {"q", "*:*"},
      {"rows", "100"},
      {"fq", "document_type:" + type},
  };
}

}  // namespace shared
