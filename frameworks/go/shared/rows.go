package shared

import "fmt"

// What a client sends of a task; the rest of a task's row is the tracker's own.
var taskFields = []string{"summary", "description", "issue_type", "priority", "labels", "components"}

// TaskOf has the fields of a task; whatever else was sent is left out. A field that is missing is an error.
func TaskOf(body Row) (Row, error) {
	task := make(Row, len(taskFields))
	for _, field := range taskFields {
		value, sent := body[field]
		if !sent {
			return nil, fmt.Errorf("%s is missing", field)
		}
		task[field] = value
	}
	return task, nil
}
