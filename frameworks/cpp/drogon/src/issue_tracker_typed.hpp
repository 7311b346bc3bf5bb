#pragma once

#include <string>

#include "http.hpp"
#include "shared/models.hpp"

class IssueTrackerTyped : public drogon::HttpController<IssueTrackerTyped, false> {
 public:
  METHOD_LIST_BEGIN
  ADD_METHOD_TO(IssueTrackerTyped::userinfo, "/api/v1/userinfo/typed/{id}", drogon::Get);
  ADD_METHOD_TO(IssueTrackerTyped::sprint, "/api/v1/sprint/typed/{id}", drogon::Get);
  ADD_METHOD_TO(IssueTrackerTyped::create_task, "/api/v1/board/typed/{id}/task", drogon::Post);
  ADD_METHOD_TO(IssueTrackerTyped::update_task, "/api/v1/board/typed/{id}/task", drogon::Put);
  METHOD_LIST_END

  explicit IssueTrackerTyped(Source& source) : source_(source) {}

  void userinfo(const drogon::HttpRequestPtr& request, Callback&& callback, const std::string& id);
  void sprint(const drogon::HttpRequestPtr& request, Callback&& callback, const std::string& id);
  void create_task(shared::TaskIn&& body, Callback&& callback, const std::string& id);
  void update_task(shared::TaskIn&& body, Callback&& callback, const std::string& id);

 private:
  Source& source_;
};
