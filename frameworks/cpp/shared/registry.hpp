#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "shared/fields.hpp"

/// The registry that Solr holds.
namespace shared {

struct Child {
  std::string id;
  std::optional<std::string> name;
  std::optional<std::int32_t> number;

  static constexpr auto fields =
      std::tuple{Field{"id", &Child::id}, Field{"name", &Child::name}, Field{"number", &Child::number}};
};

struct Document {
  std::string id;
  std::int32_t document_type;
  std::optional<std::vector<std::string>> string_array;
  std::optional<std::vector<std::int32_t>> int_array;
  std::optional<std::vector<Child>> child_objects;

  static constexpr auto fields = std::tuple{
      Field{"id", &Document::id},
      Field{"document_type", &Document::document_type},
      Field{"string_array", &Document::string_array},
      Field{"int_array", &Document::int_array},
      Field{"child_objects", &Document::child_objects},
  };
};

struct Found {
  std::vector<Document> docs;

  static constexpr auto fields = std::tuple{Field{"docs", &Found::docs}};
};

struct SolrAnswer {
  Found response;

  static constexpr auto fields = std::tuple{Field{"response", &SolrAnswer::response}};
};

/// Returns the documents in Solr's answer. Throws SolrUnavailable where the text is not an answer of Solr.
std::vector<Document> documents_of(const std::string& answer);

/// Returns the documents with 0 in place of their children's numbers below 100.
std::vector<Document> anonymized(std::vector<Document> documents);

}  // namespace shared
