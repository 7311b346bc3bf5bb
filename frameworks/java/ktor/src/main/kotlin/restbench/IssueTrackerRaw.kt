package restbench

import io.ktor.http.HttpStatusCode
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.server.util.getOrFail
import kotlinx.coroutines.future.await
import restbench.shared.DataSource
import restbench.shared.DataSource.TASK_FIELDS
import restbench.shared.PlainRows.part

/** The sprint board, its bodies plain maps. */
fun Route.issueTrackerRaw(source: DataSource) {
    get("/userinfo/raw/{id}") {
        val id = call.pathParameters.getOrFail<Int>("id")
        val user = source.plainUser().await()
        user["sub"] = "${user["sub"]}-$id"
        call.respond(user)
    }

    get("/sprint/raw/{id}") {
        val id = call.pathParameters.getOrFail<Int>("id")
        val board = source.plainSprint().await()
        part<MutableMap<String, Any>>(board, "sprint")["id"] = id
        call.respond(board)
    }

    post("/board/raw/{id}/task") {
        val id = call.pathParameters.getOrFail<Int>("id")
        val sent = taskOf(call)
        val task = source.plainTask().await()
        call.respond(HttpStatusCode.Created, task + sent + ("board" to id))
    }

    put("/board/raw/{id}/task") {
        call.pathParameters.getOrFail<Int>("id") // This refuses an id that is no integer.
        source.saveTask(taskOf(call)).await()
        call.respond(HttpStatusCode.NoContent)
    }
}

/** The fields of a task; whatever else was sent is ignored. */
private suspend fun taskOf(call: RoutingCall): Map<String, Any?> {
    val body = call.receive<Map<String, Any?>>()
    return TASK_FIELDS.associateWith { field ->
        if (field !in body) throw BadRequestException("$field is missing")
        body[field]
    }
}
