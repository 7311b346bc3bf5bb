package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// Row is a plain row: values by the name of their column, as a database driver returns them.
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

// rows has the rows of a file, as plain rows and as typed rows.
type rows[T any] struct {
	plain []Row
	typed []T
}

func readRows[T any](name string) (rows[T], error) {
	var read rows[T]
	content, err := os.ReadFile(filepath.Join(text("FIXTURES", "/fixtures"), "issue-tracker", name))
	if err != nil {
		return read, err
	}
	if err := checkFit(name, content, reflect.TypeFor[[]T]()); err != nil {
		return read, err
	}
	err = errors.Join(json.Unmarshal(content, &read.plain), json.Unmarshal(content, &read.typed))
	for _, row := range read.plain {
		withIntegers(row)
	}
	return read, err
}

// checkFit names the first value that does not fit a type or is missing. json.Unmarshal takes a missing value for zero,
// and does not name the field of a wrong date-time.
func checkFit(path string, content json.RawMessage, kind reflect.Type) error {
	switch {
	case len(content) == 0 || string(content) == "null":
		return fmt.Errorf("%s is missing", path)
	case kind.Kind() == reflect.Pointer:
		return checkFit(path, content, kind.Elem())
	case kind.Kind() == reflect.Slice:
		var elements []json.RawMessage
		if err := json.Unmarshal(content, &elements); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i, element := range elements {
			if err := checkFit(fmt.Sprintf("%s[%d]", path, i), element, kind.Elem()); err != nil {
				return err
			}
		}
	case kind.Kind() == reflect.Struct && kind != reflect.TypeFor[time.Time]():
		var values map[string]json.RawMessage
		if err := json.Unmarshal(content, &values); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i := range kind.NumField() {
			field := kind.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			value, given := values[name]
			if !given && field.Tag.Get("row") == "optional" {
				continue
			}
			if err := checkFit(path+"."+name, value, field.Type); err != nil {
				return err
			}
		}
	default:
		if err := json.Unmarshal(content, reflect.New(kind).Interface()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
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
