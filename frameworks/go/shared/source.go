package shared

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// Source is the emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
//
// It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
// not measured. An app has one source.
//
// It lends plain rows and typed rows. The number of the fetch chooses the row, and ends one of its texts
// (docs/CONTRACT.md). The parts that the contract does not let anybody change are shared by all requests.
type Source struct {
	users      rows[User]
	sprints    rows[Board]
	tasks      rows[Task]
	lastNumber atomic.Int64
	pool       chan struct{}
	latency    time.Duration
}

// NewSource reads the rows. No file is opened later.
func NewSource() (*Source, error) {
	users, err := readRows[User]("users.json")
	if err != nil {
		return nil, err
	}
	sprints, err := readRows[Board]("sprints.json")
	if err != nil {
		return nil, err
	}
	tasks, err := readRows[Task]("tasks.json")
	if err != nil {
		return nil, err
	}
	source := &Source{
		users:   users,
		sprints: sprints,
		tasks:   tasks,
		pool:    make(chan struct{}, int(number("POOL_SIZE", 100))),
		latency: milliseconds("POOL_LATENCY_MS", 1),
	}
	source.lastNumber.Store(1_000_000_000 + rand.Int64N(8_000_000_000) - 1)
	return source, nil
}

// User lends the plain row of a user.
func (s *Source) User() Row {
	number := s.fetch()
	return withNumber(chosen(s.users.plain, number), "picture", number)
}

// TypedUser lends the typed row of a user.
func (s *Source) TypedUser() User {
	number := s.fetch()
	user := chosen(s.users.typed, number)
	user.Picture = endWith(user.Picture, number)
	return user
}

// Sprint lends the plain row of a sprint with its issues.
func (s *Source) Sprint() Row {
	number := s.fetch()
	board := maps.Clone(chosen(s.sprints.plain, number))
	board["sprint"] = maps.Clone(board["sprint"].(Row))
	issues := slices.Clone(board["issues"].([]any))
	index := number % int64(len(issues))
	issues[index] = withNumber(issues[index].(Row), "description_short", number)
	board["issues"] = issues
	return board
}

// TypedSprint lends the typed row of a sprint with its issues.
func (s *Source) TypedSprint() Board {
	number := s.fetch()
	board := chosen(s.sprints.typed, number)
	board.Issues = slices.Clone(board.Issues)
	index := number % int64(len(board.Issues))
	issue := *board.Issues[index]
	issue.DescriptionShort = endWith(issue.DescriptionShort, number)
	board.Issues[index] = &issue
	return board
}

// Task lends the plain row of a new task: the fields that the tracker sets, such as its author and status.
func (s *Source) Task() Row {
	number := s.fetch()
	task := maps.Clone(chosen(s.tasks.plain, number))
	task["author"] = withNumber(task["author"].(Row), "picture", number)
	return task
}

// TypedTask lends the typed row of a new task.
func (s *Source) TypedTask() Task {
	number := s.fetch()
	task := chosen(s.tasks.typed, number)
	task.Author.Picture = endWith(task.Author.Picture, number)
	return task
}

// SaveTask takes as long as a write would, and keeps nothing.
func (s *Source) SaveTask(any) {
	s.fetch()
}

// fetch holds a connection for a while, and returns the number of the fetch.
func (s *Source) fetch() int64 {
	s.pool <- struct{}{}
	if s.latency > 0 {
		time.Sleep(s.latency)
	}
	<-s.pool
	return s.lastNumber.Add(1)
}

// chosen returns a copy of the row that the number of a fetch chooses.
func chosen[T any](rows []T, number int64) T {
	return rows[number%int64(len(rows))]
}

// withNumber returns a copy of a row with the number at the end of one of its texts.
func withNumber(row Row, column string, number int64) Row {
	changed := maps.Clone(row)
	changed[column] = endWith(changed[column].(string), number)
	return changed
}

// endWith replaces the last ten characters of a text, which are ASCII, by the ten digits of a number.
func endWith(text string, number int64) string {
	return text[:len(text)-10] + strconv.FormatInt(number, 10)
}
