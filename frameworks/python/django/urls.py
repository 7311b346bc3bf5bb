from django.urls import path
from django.views.decorators.http import require_http_methods

import issue_tracker
import views
import workload

handler400 = views.bad_request
handler404 = views.not_found
handler500 = views.server_error

urlpatterns = [
    path("hello_world", views.hello_world),
    *[
        path(f"route-{method.lower()}-{number}/<int:part>", require_http_methods([method])(views.read_part))
        for method in ("GET", "POST", "PUT")
        for number in range(10)
    ],
    path("api/v1/userinfo/raw/<int:user_id>", issue_tracker.userinfo),
    path("api/v1/sprint/raw/<int:sprint_id>", issue_tracker.sprint),
    path("api/v1/board/raw/<int:board_id>/task", issue_tracker.tasks),
    path("test", workload.queue),
    path("test/simple/raw", workload.simple),
    path("test/timed/raw", workload.timed),
    path("test/bcrypt", workload.bcrypt),
    path("test/status", workload.status),
    path("test/labels/<str:label>", workload.get_label),
]
