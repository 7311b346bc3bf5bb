#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

void add_workload(restbed::Service& service, shared::ThreadPool& threads) {
  const Handler simple = with_body(shared::read_payload, [](const Session& session, const std::string& payload) {
    answer_json(session, shared::payload_json(shared::greeting(payload)));
  });

  const Handler timed = with_body(shared::read_payload, [](const Session& session, const std::string& payload) {
    wait(session, shared::TIMED, [=] { answer_json(session, shared::payload_json(shared::greeting(payload))); });
  });

  const Handler bcrypt =
      with_body(shared::read_payload, [&service, &threads](const Session& session, const std::string& payload) {
        threads.submit([=, &service] {
          try {
            const std::string hash = shared::hash_password(payload);
            service.schedule([=] { answer_json(session, shared::payload_json(hash)); });
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

  const Handler queue = with_body(shared::read_message, [](const Session& session, const std::string& message) {
    wait(session, shared::processing(), [=] { answer_json(session, shared::handled_json(message)); });
  });

  publish(service, "/test/simple/raw", {{"POST", simple}});
  publish(service, "/test/timed/raw", {{"POST", timed}});
  publish(service, "/test/bcrypt", {{"POST", bcrypt}});
  publish(service, "/test/status", {{"GET", status}});
  publish(service, "/test/labels/{label: .+}", {{"GET", label}});
  publish(service, "/test", {{"POST", queue}});
}
