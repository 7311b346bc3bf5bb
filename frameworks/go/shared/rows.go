package shared

import "fmt"

// The fields of a task that a client sends. The tracker sets the other fields.
var taskFields = []string{"summary", "description", "issue_type", "priority", "labels", "components"}

// TaskOf returns the fields of a task, without other fields that were sent. It returns an error if a field is missing.
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
