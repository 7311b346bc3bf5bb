package shared

import "time"

// Source is the emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
//
// It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
// not measured. An app has one source.
type Source struct {
	rows    *rows
	pool    chan struct{}
	latency time.Duration
}

// NewSource reads the rows. No file is opened later.
func NewSource() (*Source, error) {
	rows, err := newRows()
	if err != nil {
		return nil, err
	}
	return &Source{
		rows:    rows,
		pool:    make(chan struct{}, int(number("POOL_SIZE", 100))),
		latency: milliseconds("POOL_LATENCY_MS", 1),
	}, nil
}

// User returns the row of the user.
func (s *Source) User() Row {
	s.useConnection()
	return s.rows.user()
}

// Sprint returns the row of the sprint with its issues.
func (s *Source) Sprint() Row {
	s.useConnection()
	return s.rows.sprint()
}

// Task returns the fields of a new task that the tracker sets: its number, author, status and so on.
func (s *Source) Task() Row {
	s.useConnection()
	return s.rows.task()
}

// SaveTask takes as long as a write would, and keeps nothing.
func (s *Source) SaveTask(any) {
	s.useConnection()
	s.rows.saveTask()
}

func (s *Source) useConnection() {
	s.pool <- struct{}{}
	if s.latency > 0 {
		time.Sleep(s.latency)
	}
	<-s.pool
}
