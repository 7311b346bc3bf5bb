#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

using shared::json;

void add_workload(restbed::Service& service, shared::ThreadPool& threads) {
  const Handler simple = with_body(shared::parse_json, [](const Session& session, const json& sent) {
    const auto payload = shared::text_in(sent, "payload");
    answer_json(session, json{{"payload", shared::greeting(payload)}}.dump());
  });

  const Handler timed = with_body(shared::parse_json, [](const Session& session, const json& sent) {
    wait(session, shared::TIMED, [=, payload = shared::text_in(sent, "payload")] {
      answer_json(session, json{{"payload", shared::greeting(payload)}}.dump());
    });
  });

  const Handler bcrypt = with_body(shared::parse_json, [&service, &threads](const Session& session, const json& sent) {
    threads.submit([=, &service, payload = shared::text_in(sent, "payload")] {
      try {
        const std::string hash = shared::hash_password(payload);
        service.schedule([=] { answer_json(session, json{{"payload", hash}}.dump()); });
      } catch (const shared::Misfit& misfit) {
        const std::string message = misfit.what();
        service.schedule([=] { answer_text(session, message, restbed::BAD_REQUEST); });
      }
    });
  });

  const Handler status = [](const Session& session) { answer_text(session, "OK"); };

  const Handler label = [](const Session& session) {
    answer_text(session, session->get_request()->get_path_parameter("label"));
  };

  const Handler queue = with_body(shared::parse_json, [](const Session& session, const json& sent) {
    wait(session, shared::processing(), [=, message = shared::text_in(sent, "message")] {
      answer_json(session, json{{"message", message}, {"note", shared::processing_note()}}.dump());
    });
  });

  publish(service, "/test/simple/raw", {{"POST", simple}});
  publish(service, "/test/timed/raw", {{"POST", timed}});
  publish(service, "/test/bcrypt", {{"POST", bcrypt}});
  publish(service, "/test/status", {{"GET", status}});
  publish(service, "/test/labels/{label: .+}", {{"GET", label}});
  publish(service, "/test", {{"POST", queue}});
}
