package shared

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"time"
)

// Row is what a database driver would hand out: plain values by the name of their column.
type Row = map[string]any

// Source is the emulated data source: a pool of connections, and fetches that hold one of them for a while.
//
// It stands in for a database, so that an app waits as apps do, and costs as little as it can: it is not what is
// measured. An app has one of it.
type Source struct {
	user, sprint, task Row
	pool               chan struct{}
	latency            time.Duration
}

// NewSource reads the rows, which is the only time that a file is opened.
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

// withIntegers makes integers of JSON's numbers, as a database has them.
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

// User is a row that nobody may change.
func (s *Source) User() Row {
	s.useConnection()
	return s.user
}

// Sprint has the sprint and its issues. Nobody may change it.
func (s *Source) Sprint() Row {
	s.useConnection()
	return s.sprint
}

// Task is what the tracker itself knows of a new task: its number, author, status and so on. Nobody may change it.
func (s *Source) Task() Row {
	s.useConnection()
	return s.task
}

// SaveTask takes as long as a write would; nothing is kept.
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
