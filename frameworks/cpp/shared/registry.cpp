#include "shared/registry.hpp"

#include "shared/solr.hpp"

namespace shared {

std::vector<Document> documents_of(const std::string& answer) {
  try {
    return json::parse(answer).at("response").at("docs").get<std::vector<Document>>();
  } catch (const json::exception& error) {
    throw SolrUnavailable(error.what());
  }
}

std::vector<Document> anonymized(std::vector<Document> documents) {
  for (auto& document : documents) {
    if (!document.child_objects) continue;
    for (auto& child : *document.child_objects) {
      if (child.number && *child.number < 100) child.number = 0;
    }
  }
  return documents;
}

}  // namespace shared
