// Step 3: use the framework in place of minimal APIs.
using Restbench.Shared;

var builder = WebApplication.CreateBuilder(args);
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1));

var app = builder.Build();
app.MapGet("/hello_world", () => "Hello World");

app.Run(Settings.Url);
