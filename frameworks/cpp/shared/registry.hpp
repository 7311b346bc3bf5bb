#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shared/json.hpp"

/// The registry that Solr holds.
namespace shared {

struct Child {
  std::string id;
  std::optional<std::string> name;
  std::optional<std::int32_t> number;
};

inline void from_json(const json& json, Child& child) {
  json.at("id").get_to(child.id);
  read_optional(json, "name", child.name);
  read_optional(json, "number", child.number);
}

inline void to_json(json& json, const Child& child) {
  json["id"] = child.id;
  write_optional(json, "name", child.name);
  write_optional(json, "number", child.number);
}

struct Document {
  std::string id;
  std::int32_t document_type;
  std::optional<std::vector<std::string>> string_array;
  std::optional<std::vector<std::int32_t>> int_array;
  std::optional<std::vector<Child>> child_objects;
};

inline void from_json(const json& json, Document& document) {
  json.at("id").get_to(document.id);
  json.at("document_type").get_to(document.document_type);
  read_optional(json, "string_array", document.string_array);
  read_optional(json, "int_array", document.int_array);
  read_optional(json, "child_objects", document.child_objects);
}

inline void to_json(json& json, const Document& document) {
  json["id"] = document.id;
  json["document_type"] = document.document_type;
  write_optional(json, "string_array", document.string_array);
  write_optional(json, "int_array", document.int_array);
  write_optional(json, "child_objects", document.child_objects);
}

/// Returns the documents in Solr's answer. Throws SolrUnavailable where the text is not an answer of Solr.
std::vector<Document> documents_of(const std::string& answer);

/// Returns the documents with 0 in place of their children's numbers below 100.
std::vector<Document> anonymized(std::vector<Document> documents);

}  // namespace shared
