#pragma once

#include "http.hpp"

class WorkloadTyped {
 public:
  explicit WorkloadTyped(Rest::Router& router);

 private:
  void simple(const Rest::Request& request, Http::ResponseWriter response);
  void timed(const Rest::Request& request, Http::ResponseWriter response);
};
