package restbench

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.module.kotlin.registerKotlinModule
import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.serialization.jackson.JacksonConverter
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.engine.EngineConnectorBuilder
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.plugins.CannotTransformContentToTypeException
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.RoutingContext
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import io.ktor.server.util.getOrFail
import restbench.shared.DataSource
import restbench.shared.Environment
import restbench.shared.Jackson
import restbench.shared.Solr
import restbench.shared.SolrUnavailable

/** Reads and writes JSON, for Kotlin's classes, too. */
internal val mapper: ObjectMapper = Jackson.MAPPER.copy().registerKotlinModule()

fun main() {
    val source = DataSource()
    val solr = Solr()
    embeddedServer(Netty, configure = {
        connectors.add(EngineConnectorBuilder().apply { port = Environment.PORT })
        workerGroupSize = Environment.WORKERS
        callGroupSize = Environment.WORKERS
        shutdownTimeout = 3000 // By default it is 5 s, which is all that an app has.
    }) {
        module(source, solr)
    }.start(wait = true)
}

/** The plugins, and the routes of all suites. */
fun Application.module(source: DataSource, solr: Solr) {
    install(ContentNegotiation) {
        register(ContentType.Application.Json, JacksonConverter(mapper))
    }
    install(StatusPages) {
        exception<SolrUnavailable> { call, _ -> call.respond(HttpStatusCode.ServiceUnavailable) }
        // a body that is null, which Ktor answers with 415
        exception<CannotTransformContentToTypeException> { call, _ -> call.respond(HttpStatusCode.BadRequest) }
    }
    routing {
        get("/hello_world") { call.respondText("Hello World") }
        repeat(10) { number ->
            get("/route-get-$number/{part}") { respondPart() }
            post("/route-post-$number/{part}") { respondPart() }
            put("/route-put-$number/{part}") { respondPart() }
        }
        route("/api/v1") {
            issueTrackerRaw(source)
            issueTrackerTyped(source)
        }
        route("/test") {
            workloadRaw()
            workloadTyped()
        }
        registry(solr)
    }
}

private suspend fun RoutingContext.respondPart() {
    val part = call.pathParameters.getOrFail<Int>("part")
    call.respond(mapOf("part" to part))
}
