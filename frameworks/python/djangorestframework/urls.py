from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

import issue_tracker_raw
import issue_tracker_serializers
import registry
import views
import workload
import workload_serializers

registry_patterns = [
    path("json_serialization/serializers", registry.JsonSerialization.as_view()),
    path("anonymization/serializers", registry.Anonymization.as_view()),
]

urlpatterns = [
    path("hello_world", views.HelloWorld.as_view()),
    *[path(f"route-get-{number}/<int:part>", views.ReadPart.as_view()) for number in range(10)],
    *[path(f"route-post-{number}/<int:part>", views.CreatePart.as_view()) for number in range(10)],
    *[path(f"route-put-{number}/<int:part>", views.ReplacePart.as_view()) for number in range(10)],
    path("api/v1/userinfo/raw/<int:user_id>", issue_tracker_raw.UserInfo.as_view()),
    path("api/v1/sprint/raw/<int:sprint_id>", issue_tracker_raw.Sprint.as_view()),
    path("api/v1/board/raw/<int:board_id>/task", issue_tracker_raw.Tasks.as_view()),
    path("api/v1/userinfo/serializers/<int:user_id>", issue_tracker_serializers.UserInfo.as_view()),
    path("api/v1/sprint/serializers/<int:sprint_id>", issue_tracker_serializers.Sprint.as_view()),
    path("api/v1/board/serializers/<int:board_id>/task", issue_tracker_serializers.Tasks.as_view()),
    path("test", workload.Queue.as_view()),
    path("test/simple/raw", workload.Simple.as_view()),
    path("test/timed/raw", workload.Timed.as_view()),
    path("test/simple/serializers", workload_serializers.Simple.as_view()),
    path("test/timed/serializers", workload_serializers.Timed.as_view()),
    path("test/bcrypt", workload.Bcrypt.as_view()),
    path("test/status", workload.Status.as_view()),
    path("test/labels/<str:label>", workload.Label.as_view()),
    *registry_patterns,
    # the views of the other suites are not annotated, and nothing can be told from them
    path("api/schema/", SpectacularJSONAPIView.as_view(patterns=registry_patterns), name="schema"),
]
