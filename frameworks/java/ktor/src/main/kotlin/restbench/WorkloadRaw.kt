package restbench

import io.ktor.server.plugins.BadRequestException
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.util.getOrFail
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import restbench.shared.Work

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
fun Route.workloadRaw() {
    post("/simple/raw") {
        val payload = textOf(call, "payload")
        call.respond(mapOf("payload" to Work.greeting(payload)))
    }

    post("/timed/raw") {
        val payload = textOf(call, "payload")
        delay(Work.TIMED_MS.milliseconds)
        call.respond(mapOf("payload" to Work.greeting(payload)))
    }

    post("/bcrypt") {
        val payload = textOf(call, "payload")
        val hash = withContext(Dispatchers.Default) { Work.hashPassword(payload) }
        call.respond(mapOf("payload" to hash))
    }

    get("/status") { call.respondText("OK") }

    get("/labels/{label}") { call.respondText(call.pathParameters.getOrFail("label")) }

    post {
        val message = textOf(call, "message")
        delay(Work.PROCESSING_MS.milliseconds)
        call.respond(mapOf("message" to message, "note" to Work.PROCESSING_NOTE))
    }
}

/** The text under that key of the body. */
private suspend fun textOf(call: RoutingCall, key: String): String =
    call.receive<Map<String, Any?>>()[key] as? String ?: throw BadRequestException("$key is missing, or no text")
