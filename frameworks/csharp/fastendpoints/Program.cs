using FastEndpoints;
using FastEndpoints.Swagger;
using Restbench;
using Restbench.Shared;

var builder = WebApplication.CreateBuilder(args);
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1));
builder.Services.AddFastEndpoints().SwaggerDocument(options => options.ShortSchemaNames = true);
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<SolrUnavailableHandler>();
builder.Services.AddSingleton(new DataSource());
builder.Services.AddHttpClient<SolrClient>(SolrClient.Configure);

var app = builder.Build();
app.UseExceptionHandler();
app.UseFastEndpoints(config =>
{
    Json.Configure(config.Serializer.Options);
    config.Errors.UseProblemDetails();
    config.Endpoints.Configurator = endpoint => endpoint.AllowAnonymous();
});
app.UseSwaggerGen();

app.Run(Settings.Url);
