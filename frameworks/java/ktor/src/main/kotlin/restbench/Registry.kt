@file:OptIn(ExperimentalKtorApi::class)

package restbench

import com.fasterxml.jackson.module.kotlin.readValue
import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.openapi.GenericElement
import io.ktor.openapi.OpenApiDoc
import io.ktor.openapi.OpenApiInfo
import io.ktor.openapi.jsonSchema
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.openapi.describe
import io.ktor.server.routing.openapi.plus
import io.ktor.server.util.getOrFail
import io.ktor.utils.io.ExperimentalKtorApi
import kotlinx.coroutines.future.await
import kotlinx.serialization.json.Json
import restbench.shared.Solr

private data class Found(val docs: List<Document>)

private data class SolrAnswer(val response: Found)

/** Documents from Solr, and the OpenAPI document that describes their two routes. */
fun Route.registry(solr: Solr) {
    val jsonSerialization = get("/json_serialization/typed") {
        val type = call.queryParameters.getOrFail<Int>("document_type")
        call.respond(documents(solr, type))
    }.describe {
        summary = "Documents of a type, as they are"
        parameters {
            query("document_type") {
                description = "The type of the documents to return"
                required = true
                schema = jsonSchema<Int>()
                example = GenericElement(1)
            }
        }
        responses {
            HttpStatusCode.OK {
                description = "The documents, in Solr's order"
                schema = jsonSchema<List<Document>>()
            }
            HttpStatusCode.BadRequest { description = "The type is missing, or not one integer" }
            HttpStatusCode.ServiceUnavailable { description = "Solr does not answer" }
        }
    }

    val anonymization = get("/anonymization/typed") {
        call.respond(documents(solr, 1).map(Document::anonymized))
    }.describe {
        summary = "Documents with small numbers hidden"
        responses {
            HttpStatusCode.OK {
                description = "The documents of type 1"
                schema = jsonSchema<List<Document>>()
            }
            HttpStatusCode.ServiceUnavailable { description = "Solr does not answer" }
        }
    }

    get("/openapi.json") {
        val document = OpenApiDoc(info = OpenApiInfo("restbench", "1.0.0")) + listOf(jsonSerialization, anonymization)
        call.respondText(Json.encodeToString(document), ContentType.Application.Json)
    }
}

private suspend fun documents(solr: Solr, type: Int): List<Document> =
    mapper.readValue<SolrAnswer>(solr.select(type).await()).response.docs
