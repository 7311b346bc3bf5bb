#pragma once

#include "http.hpp"

/// What answers requests: Pistache copies it for each of its threads.
class App : public Http::Handler {
 public:
  HTTP_PROTOTYPE(App)

  explicit App(const Rest::Router& router) : router_(router) {}

  void onRequest(const Http::Request& request, Http::ResponseWriter response) override;

 private:
  Rest::Router router_;
};
