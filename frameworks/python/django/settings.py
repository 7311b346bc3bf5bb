"""What an API needs: no database, templates, users or sessions. Nothing is signed, so there is no secret."""

DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "urls"
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]  # sets Content-Length

TIME_ZONE = "UTC"
USE_I18N = False
