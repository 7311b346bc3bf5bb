package shared

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"time"
)

// Row has plain values by the name of their column, as a database driver returns them.
type Row = map[string]any

// Source is the emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
//
// It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
// not measured. An app has one source.
type Source struct {
	user, sprint, task Row
	pool               chan struct{}
	latency            time.Duration
}

// NewSource reads the rows. No file is opened later.
func NewSource() (*Source, error) {
	source := &Source{
		pool:    make(chan struct{}, int(number("POOL_SIZE", 100))),
		latency: milliseconds("POOL_LATENCY_MS", 1),
	}
	folder := filepath.Join(text("FIXTURES", "/fixtures"), "issue-tracker")
	for name, row := range map[string]*Row{"user": &source.user, "sprint": &source.sprint, "task": &source.task} {
		content, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(content, row); err != nil {
			return nil, err
		}
		*row = withIntegers(*row).(Row)
	}
	return source, nil
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

// User returns the row of the user. Nobody may change it.
func (s *Source) User() Row {
	s.useConnection()
	return s.user
}

// Sprint returns the row of the sprint with its issues. Nobody may change it.
func (s *Source) Sprint() Row {
	s.useConnection()
	return s.sprint
}

// Task returns the fields of a new task that the tracker sets: its number, author, status and so on. Nobody may change
// it.
func (s *Source) Task() Row {
	s.useConnection()
	return s.task
}

// SaveTask takes as long as a write would, and keeps nothing.
func (s *Source) SaveTask(any) {
	s.useConnection()
}

func (s *Source) useConnection() {
	s.pool <- struct{}{}
	if s.latency > 0 {
		time.Sleep(s.latency)
	}
	<-s.pool
}
