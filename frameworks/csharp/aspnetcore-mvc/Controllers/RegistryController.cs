using System.Net.Mime;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.AspNetCore.Mvc.ModelBinding;
using Restbench.Shared;

namespace Restbench.Controllers;

/// <summary>Documents from Solr. OpenAPI describes the operations by their comments and attributes.</summary>
[ApiController]
[Produces(MediaTypeNames.Application.Json)]
[ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable, MediaTypeNames.Application.ProblemJson)]
public sealed class RegistryController(SolrClient solr) : ControllerBase
{
    /// <summary>Documents of a type, as they are</summary>
    /// <param name="document_type" example="1">The type of the documents to return</param>
    [HttpGet("json_serialization/typed")]
    [OneValue("document_type")]
    [ProducesResponseType<List<Document>>(StatusCodes.Status200OK)]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status400BadRequest, MediaTypeNames.Application.ProblemJson)]
    public async Task<List<Document>> JsonSerialization([FromQuery, BindRequired] int document_type) =>
        await solr.Documents<Document>(document_type);

    /// <summary>Documents with small numbers hidden</summary>
    [HttpGet("anonymization/typed")]
    [ProducesResponseType<List<Document>>(StatusCodes.Status200OK)]
    public async Task<List<Document>> Anonymization()
    {
        var documents = await solr.Documents<Document>(1);
        return documents.ConvertAll(document => document.Anonymized());
    }
}

/// <summary>Refuses a parameter of the query that is there more than once. Model binding takes the first value.</summary>
public sealed class OneValueAttribute(string name) : ActionFilterAttribute
{
    public override void OnActionExecuting(ActionExecutingContext context)
    {
        if (context.HttpContext.Request.Query[name].Count > 1)
        {
            context.ModelState.AddModelError(name, "More than one value was sent.");
            context.Result = new BadRequestObjectResult(new ValidationProblemDetails(context.ModelState));
        }
    }
}
