from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

import issue_tracker_raw
import issue_tracker_serializers
import registry
import views
import workload
import workload_serializers

registry_patterns = [
    path("json_serialization/serializers", registry.json_serialization),
    path("anonymization/serializers", registry.anonymization),
]

urlpatterns = [
    path("hello_world", views.hello_world),
    *[path(f"route-get-{number}/<int:part>", views.read_part) for number in range(10)],
    *[path(f"route-post-{number}/<int:part>", views.create_part) for number in range(10)],
    *[path(f"route-put-{number}/<int:part>", views.replace_part) for number in range(10)],
    path("api/v1/userinfo/raw/<int:user_id>", issue_tracker_raw.UserInfo.as_view()),
    path("api/v1/sprint/raw/<int:sprint_id>", issue_tracker_raw.Sprint.as_view()),
    path("api/v1/board/raw/<int:board_id>/task", issue_tracker_raw.Tasks.as_view()),
    path("api/v1/userinfo/serializers/<int:user_id>", issue_tracker_serializers.UserInfo.as_view()),
    path("api/v1/sprint/serializers/<int:sprint_id>", issue_tracker_serializers.Sprint.as_view()),
    path("api/v1/board/serializers/<int:board_id>/task", issue_tracker_serializers.Tasks.as_view()),
    path("test", workload.queue),
    path("test/simple/raw", workload.simple),
    path("test/timed/raw", workload.timed),
    path("test/simple/serializers", workload_serializers.simple),
    path("test/timed/serializers", workload_serializers.timed),
    path("test/bcrypt", workload.bcrypt),
    path("test/status", workload.status),
    path("test/labels/<str:label>", workload.get_label),
    *registry_patterns,
    # the views of the other suites are not annotated, and nothing can be told from them
    path("api/schema/", SpectacularJSONAPIView.as_view(patterns=registry_patterns), name="schema"),
]
