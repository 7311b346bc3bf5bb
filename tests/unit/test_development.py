"""What frameworks answer in development mode is refused, and what they say of wrong requests in production is not."""

import json

import pytest

from restbench.conformance.development import debug_headers, trace_in

TRACES: dict[str, str] = {
    "Python": 'Traceback (most recent call last):\n  File "app.py", line 3, in main',
    "a frame of Python in JSON": json.dumps({"error": 'oops in\n  File "app.py", line 3, in main'}),
    "a path of Python": '{"detail": "ValueError in /app/src/x.py"}',
    "Node.js": '{"stack": "Error: no\\n    at Object.<anonymous> (file:///srv/app/main.js:3:9)"}',
    "Node.js, without a file": "TypeError: no\n    at async Promise.all (index 0)\n    at node:internal/timers:581:11",
    "Java": "java.lang.IllegalStateException\n\tat io.jooby.Jooby.start(Jooby.java:17)",
    "Java in JSON": json.dumps({"trace": "java.lang.IllegalStateException: no\n\tat java.base/java.lang.Thread.run()"}),
    "a cause in Java": "jakarta.servlet.ServletException: no\nCaused by: java.lang.NullPointerException",
    "a line of Java": '{"where": "TaskResource.java:17"}',
    "Kotlin": "kotlin.NotImplementedError at Main.kt:12",
    ".NET": '{"detail": "System.FormatException: no\\r\\n   at App.Work.Run(String text)\\r\\n"}',
    ".NET with a file": "System.FormatException: no\r\n   at App.Work.Run(String text) in C:\\app\\Work.cs:line 12",
    "a line of .NET": "thrown at File.cs:line 12",
    "a path on Windows": json.dumps({"detail": r"cannot open C:\app\new\x.py"}),
    "PHP": json.dumps({"trace": [{"file": "/env/app/src/Kernel.php", "line": 3}]}).replace("/", "\\/"),
    "a frame of PHP": "Uncaught TypeError\n#0 [internal function](12): App\\run()",
    "a warning of PHP": "<b>Warning</b>:  foreach() argument in <b>index.php</b> on line <b>3</b><br />",
    "a folder of a server": "failed to open stream: /var/www/html/storage/logs/today",
    "Go": "panic: no\n\ngoroutine 7 [running]:",
    "a line of Go": "main.go:123: unexpected end",
    "Rust": "thread 'main' panicked at src/main.rs:3:9:",
    "a line of Rust": "Error at tasks.rs:45:6",
    "C++": "/srv/app/src/main.cpp:17: no",
    "Ruby": "app.rb:12:in `block in <main>'",
    "Ruby on Rails": 'No route matches [GET] "/no"\nRails.root: /rails',
    "Elixir": "(app 0.1.0) lib/app/router.ex:12: App.Router.call/2",
    "Perl": "no such table at App.pm line 12.",
    "a package of Node.js": "Cannot find module 'ajv'. Require stack: node_modules/fastify",
    "a package of Python": "in site-packages/falcon",
    "Django": "<p>You're seeing this error because you have <code>DEBUG = True</code> in your settings file.</p>",
    "Flask": "<title>KeyError: 'x' // Werkzeug Debugger</title>",
    "Starlette": "<html><head><title>Starlette Debugger</title></head></html>",
    "Express": "<pre>SyntaxError: no<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)<br> &nbsp; &nbsp;"
    "at parse (/app/node_modules/body-parser/lib/types/json.js:92:19)</pre>",
    "ASP.NET Core": "<h1>An unhandled exception occurred while processing the request.</h1>",
    "Laravel": json.dumps({"exception": "NotFoundHttpException", "file": "RouteCollection.php", "line": 44}, indent=4),
    "Symfony": '<span class="block trace-file-path">in <a><span>vendor/symfony/http-kernel/<strong>RouterListener.php'
    "</strong></span></a> (line 127)</span>",
    "Symfony's page": "<title>No route found (404 Not Found)</title><h1>Symfony Exception</h1>",
}

HONEST: dict[str, str] = {
    "Express": "<pre>Cannot GET /api/v1/nothing/1</pre>",
    "Nest": '{"message":"Cannot GET /no-such-path-7","error":"Not Found","statusCode":404}',
    "V8": 'Unexpected token \'}\', ..."labels":[]}}" is not valid JSON at position 57 (line 1 column 58)',
    "pydantic": '{"detail":[{"type":"missing","loc":["body","summary"],"msg":"Field required","input":{"a":"x/y.z"},'
    '"url":"https://errors.pydantic.dev/2.11/v/missing"}]}',
    "msgspec": '{"detail":"JSON is malformed: trailing characters (byte 3)"}',
    "marshmallow": '{"labels":{"0":["Not a valid string."]}}',
    "Django": "<h1>Not Found</h1><p>The requested resource was not found on this server.</p>",
    "Werkzeug": "<title>404 Not Found</title><p>The requested URL was not found on the server.</p>",
    "ajv": '{"code":"FST_ERR_VALIDATION","message":"body/labels/0 must be string","instancePath":"/labels/0"}',
    "zod": '[{"code":"invalid_type","expected":"string","path":["summary"],"message":"Required at \\"summary\\""}]',
    "Jackson": "Cannot deserialize value of type `java.lang.String` from Array value (token `JsonToken.START_ARRAY`)\n"
    " at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 12] "
    '(through reference chain: restbench.NewTask["summary"])',
    "Gson": "java.lang.IllegalStateException: Expected BEGIN_OBJECT but was STRING at line 1 column 1 path $\n"
    "See https://github.com/google/gson/blob/main/Troubleshooting.md#unexpected-json-structure",
    "Spring": '{"timestamp":"2026-11-28T10:00:00.000+00:00","status":404,"error":"Not Found","path":"/no-such-path-7"}',
    "Jetty": "<h2>HTTP ERROR 404 Not Found</h2><table><tr><th>URI:</th><td>/api/v1/nothing/1</td></tr></table>",
    "System.Text.Json": "The JSON value could not be converted to System.String. Path: $.summary | LineNumber: 0 | "
    "BytePositionInLine: 12.",
    "problem details": '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","traceId":"00-4bf9-00f0-01"}',
    "Symfony": '{"type":"https:\\/\\/symfony.com\\/errors\\/validation","violations":[{"propertyPath":"labels[0]"}]}',
    "API Platform": '{"@context":"\\/contexts\\/Error","@id":"\\/errors\\/422","title":"An error occurred"}',
    "Laravel": '{"message":"The summary field is required.","errors":{"summary":["The summary field is required."]}}',
    "Go": "json: cannot unmarshal number into Go struct field NewTask.summary of type string",
    "serde": "Failed to deserialize the JSON body into the target type: labels[0]: invalid type: map, expected a text "
    "at line 1 column 57",
    "nlohmann": "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value",
    "nginx": "<html><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.22.1</center></html>",
    "a text that was sent": '{"input":"C:\\new\\nline, a/b.c, at noon: 12:30:15, and/or /labels/0"}',
}


@pytest.mark.parametrize("text", TRACES.values(), ids=TRACES)
def test_what_development_mode_shows_is_found(text: str) -> None:
    assert trace_in(text)


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_what_parsers_validators_and_servers_say_in_production_is_not(text: str) -> None:
    assert trace_in(text) is None


def test_headers_of_debuggers_are_found_and_those_with_a_name_and_a_version_are_not() -> None:
    names = ["x-powered-by", "server", "server-timing", "x-debug-token", "x-debug-exception-file", "phpdebugbar-id"]
    assert debug_headers(names) == ["x-debug-token", "x-debug-exception-file", "phpdebugbar-id"]
    assert debug_headers(["x-miniprofiler-ids", "x-clockwork-id", "x-request-id", "x-runtime"]) == [
        "x-miniprofiler-ids",
        "x-clockwork-id",
    ]
