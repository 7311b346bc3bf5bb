using Restbench;
using Restbench.Shared;

var builder = WebApplication.CreateBuilder(args);
builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1));
builder.Services.AddControllers().AddJsonOptions(options => Json.Configure(options.JsonSerializerOptions));
// OpenAPI describes bodies by the options of minimal APIs: https://github.com/dotnet/aspnetcore/issues/59980
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
app.MapControllers();

app.Run(Settings.Url);
