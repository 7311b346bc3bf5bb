package restbench

import io.ktor.http.HttpStatusCode
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.server.util.getOrFail
import kotlinx.coroutines.future.await
import restbench.shared.DataSource
import restbench.shared.Task
import restbench.shared.TaskIn

/** The sprint board, its bodies records. */
fun Route.issueTrackerTyped(source: DataSource) {
    get("/userinfo/typed/{id}") {
        val id = call.pathParameters.getOrFail<Int>("id")
        call.respond(source.user().await().withId(id))
    }

    get("/sprint/typed/{id}") {
        val id = call.pathParameters.getOrFail<Int>("id")
        call.respond(source.sprint().await().withSprintId(id))
    }

    post("/board/typed/{id}/task") {
        val id = call.pathParameters.getOrFail<Int>("id")
        val task = call.receive<TaskIn>()
        call.respond(HttpStatusCode.Created, Task(id, source.task().await(), task))
    }

    put("/board/typed/{id}/task") {
        call.pathParameters.getOrFail<Int>("id") // This refuses an id that is no integer.
        val task = call.receive<TaskIn>()
        source.saveTask(task).await()
        call.respond(HttpStatusCode.NoContent)
    }
}
