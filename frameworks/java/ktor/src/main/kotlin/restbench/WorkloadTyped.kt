package restbench

import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.post
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import restbench.shared.Work

data class Payload(val payload: String)

/** Business logic that takes its time, its bodies data classes. */
fun Route.workloadTyped() {
    post("/simple/typed") {
        val sent = call.receive<Payload>()
        call.respond(Payload(Work.greeting(sent.payload)))
    }

    post("/timed/typed") {
        val sent = call.receive<Payload>()
        delay(Work.TIMED_MS.milliseconds)
        call.respond(Payload(Work.greeting(sent.payload)))
    }
}
