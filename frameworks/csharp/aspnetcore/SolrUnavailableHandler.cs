using Microsoft.AspNetCore.Diagnostics;
using Restbench.Shared;

namespace Restbench;

/// <summary>Answers 503 while Solr does not answer.</summary>
internal sealed class SolrUnavailableHandler(IProblemDetailsService problems) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext context, Exception error, CancellationToken cancelled)
    {
        if (error is not SolrUnavailableException)
        {
            return false;
        }
        context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
        return await problems.TryWriteAsync(
            new() { HttpContext = context, ProblemDetails = { Detail = error.Message } });
    }
}
