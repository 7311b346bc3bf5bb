#include "app.hpp"

#include <utility>

#include "reactor.hpp"

void App::onRequest(const Http::Request& request, Http::ResponseWriter response) {
  using Http::Header::Connection;

  reactor::use(transport());

  // Pistache keeps the connection, and says that it closes it unless the client asked for the contrary.
  if (!request.headers().has<Connection>()) {
    response.headers().remove<Connection>();
    response.headers().add<Connection>(Http::ConnectionControl::KeepAlive);
  }

  try {
    router_.route(request, std::move(response));
  } catch (const shared::Misfit& misfit) {
    throw Http::HttpError(Http::Code::Bad_Request, misfit.what());
  }
}
