"""What an API needs: no database, templates, users or sessions. Nothing is signed, so there is no secret."""

DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["rest_framework", "drf_spectacular"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]  # sets Content-Length

TIME_ZONE = "UTC"
USE_I18N = False

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,  # else it is the AnonymousUser of django.contrib.auth
}

SPECTACULAR_SETTINGS = {
    "TITLE": "restbench",
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
}
