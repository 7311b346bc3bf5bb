package shared

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
)

// Row has plain values by the name of their column, as a database driver returns them. Parts of rows are shared: nobody
// may change them.
type Row = map[string]any

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

// rows makes the rows of fetches. The number of the fetch ends one text of each row (docs/CONTRACT.md).
type rows struct {
	userRow, sprintRow, taskRow Row
	issues                      []any
	author                      Row
	userPicture, authorPicture  string
	descriptions                []string
	lastNumber                  atomic.Int64
}

// newRows reads the rows.
func newRows() (*rows, error) {
	r := &rows{}
	folder := filepath.Join(text("FIXTURES", "/fixtures"), "issue-tracker")
	for name, row := range map[string]*Row{"user": &r.userRow, "sprint": &r.sprintRow, "task": &r.taskRow} {
		content, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(content, row); err != nil {
			return nil, err
		}
		*row = withIntegers(*row).(Row)
	}
	r.issues = r.sprintRow["issues"].([]any)
	r.author = r.taskRow["author"].(Row)
	r.userPicture = withoutEnd(r.userRow["picture"])
	r.authorPicture = withoutEnd(r.author["picture"])
	for _, issue := range r.issues {
		r.descriptions = append(r.descriptions, withoutEnd(issue.(Row)["description_short"]))
	}
	r.lastNumber.Store(1_000_000_000 + rand.Int64N(8_000_000_000) - 1)
	return r, nil
}

// withIntegers makes integers of JSON's whole numbers, as a database driver does.
func withIntegers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			value[key] = withIntegers(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = withIntegers(inner)
		}
	case float64:
		if value == math.Trunc(value) {
			return int(value)
		}
	}
	return value
}

// withoutEnd returns a text without its last ten characters, where the number of a fetch stands.
func withoutEnd(value any) string {
	characters := []rune(value.(string))
	return string(characters[:len(characters)-10])
}

func (r *rows) user() Row {
	return with(r.userRow, "picture", withNumber(r.userPicture, r.nextNumber()))
}

func (r *rows) sprint() Row {
	number := r.nextNumber()
	index := number % int64(len(r.issues))
	issues := slices.Clone(r.issues)
	issues[index] = with(r.issues[index].(Row), "description_short", withNumber(r.descriptions[index], number))
	return with(r.sprintRow, "issues", issues)
}

func (r *rows) task() Row {
	return with(r.taskRow, "author", with(r.author, "picture", withNumber(r.authorPicture, r.nextNumber())))
}

func (r *rows) saveTask() {
	r.nextNumber()
}

func (r *rows) nextNumber() int64 {
	return r.lastNumber.Add(1)
}

// with returns a copy of a row that has another value in one column.
func with(row Row, column string, value any) Row {
	changed := maps.Clone(row)
	changed[column] = value
	return changed
}

func withNumber(start string, number int64) string {
	return start + strconv.FormatInt(number, 10)
}
