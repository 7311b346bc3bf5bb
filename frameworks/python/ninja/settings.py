"""What an API needs: no database, templates, users, sessions or middleware. Nothing is signed, so no secret either."""

DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "urls"

TIME_ZONE = "UTC"
USE_I18N = False
