#pragma once

#include "http.hpp"
#include "shared/work.hpp"

class WorkloadTyped : public drogon::HttpController<WorkloadTyped, false> {
 public:
  METHOD_LIST_BEGIN
  ADD_METHOD_TO(WorkloadTyped::simple, "/test/simple/typed", drogon::Post);
  ADD_METHOD_TO(WorkloadTyped::timed, "/test/timed/typed", drogon::Post);
  METHOD_LIST_END

  void simple(shared::Payload&& body, Callback&& callback);
  void timed(shared::Payload&& body, Callback&& callback);
};
