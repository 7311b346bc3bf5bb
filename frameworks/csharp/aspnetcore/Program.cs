using Restbench;
using Restbench.Shared;

var builder = WebApplication.CreateBuilder(args);
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1));
builder.Services.ConfigureHttpJsonOptions(options => Json.Configure(options.SerializerOptions));
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<SolrUnavailableHandler>();
builder.Services.AddOpenApi();
builder.Services.AddSingleton(new DataSource());
builder.Services.AddHttpClient<SolrClient>(SolrClient.Configure);

var app = builder.Build();
app.UseExceptionHandler();
app.UseStatusCodePages();
app.MapOpenApi();

app.MapGet("/hello_world", () => "Hello World");

for (var number = 0; number < 10; number++)
{
    app.MapGet($"/route-get-{number}/{{part:int:min(0)}}", (int part) => new { part });
    app.MapPost($"/route-post-{number}/{{part:int:min(0)}}", (int part) => new { part });
    app.MapPut($"/route-put-{number}/{{part:int:min(0)}}", (int part) => new { part });
}
app.MapIssueTrackerRaw();
app.MapIssueTrackerTyped();
app.MapWorkloadRaw();
app.MapWorkloadTyped();
app.MapRegistry();

app.Run(Settings.Url);
