#include "registry.hpp"

#include <optional>
#include <string>
#include <utility>

#include "shared/misfit.hpp"
#include "shared/parameters.hpp"

using drogon::HttpRequestPtr;

namespace {

/// Throws Misfit unless it is given once, and is an integer.
std::int32_t document_type_of(const HttpRequestPtr& request) {
  constexpr auto NAME = "document_type";
  // of several values, Drogon keeps one
  if (shared::times_given(request->query(), NAME) != 1) throw shared::Misfit("document_type has to be given once");
  const auto document_type = shared::integer_of(request->getParameter(NAME));
  if (!document_type) throw shared::Misfit("document_type is not an integer");
  return *document_type;
}

}  // namespace

void Registry::json_serialization(const HttpRequestPtr& request, Callback&& callback) {
  answer(document_type_of(request), std::move(callback), [](Documents documents) { return documents; });
}

void Registry::anonymization(const HttpRequestPtr&, Callback&& callback) {
  answer(1, std::move(callback), shared::anonymized);
}

void Registry::answer(std::int32_t document_type, Callback&& callback, Documents (*change)(Documents)) {
  auto* loop = trantor::EventLoop::getEventLoopOfCurrentThread();
  solr_.select(document_type, [=, callback = std::move(callback)](std::optional<std::string> found) {
    loop->queueInLoop([=, found = std::move(found)] {
      try {
        if (!found) throw shared::SolrUnavailable("Solr does not answer");
        callback(typed_json(change(shared::documents_of(*found))));
      } catch (const shared::SolrUnavailable& error) {
        callback(text(error.what(), drogon::k503ServiceUnavailable));
      }
    });
  });
}
