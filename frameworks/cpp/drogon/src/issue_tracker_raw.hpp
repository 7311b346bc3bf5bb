#pragma once

#include <string>

#include "http.hpp"

class IssueTrackerRaw : public drogon::HttpController<IssueTrackerRaw, false> {
 public:
  METHOD_LIST_BEGIN
  ADD_METHOD_TO(IssueTrackerRaw::userinfo, "/api/v1/userinfo/raw/{id}", drogon::Get);
  ADD_METHOD_TO(IssueTrackerRaw::sprint, "/api/v1/sprint/raw/{id}", drogon::Get);
  ADD_METHOD_TO(IssueTrackerRaw::create_task, "/api/v1/board/raw/{id}/task", drogon::Post);
  ADD_METHOD_TO(IssueTrackerRaw::update_task, "/api/v1/board/raw/{id}/task", drogon::Put);
  METHOD_LIST_END

  explicit IssueTrackerRaw(Source& source) : source_(source) {}

  void userinfo(const drogon::HttpRequestPtr& request, Callback&& callback, const std::string& id);
  void sprint(const drogon::HttpRequestPtr& request, Callback&& callback, const std::string& id);
  void create_task(Json::Value&& body, Callback&& callback, const std::string& id);
  void update_task(Json::Value&& body, Callback&& callback, const std::string& id);

 private:
  Source& source_;
};
