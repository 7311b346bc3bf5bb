#pragma once

#include "http.hpp"

class IssueTrackerTyped {
 public:
  IssueTrackerTyped(Source& source, Rest::Router& router);

 private:
  void userinfo(const Rest::Request& request, Http::ResponseWriter response);
  void sprint(const Rest::Request& request, Http::ResponseWriter response);
  void create_task(const Rest::Request& request, Http::ResponseWriter response);
  void update_task(const Rest::Request& request, Http::ResponseWriter response);

  Source& source_;
};
