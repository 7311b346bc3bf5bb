package shared

import (
	"fmt"
	"time"
)

type Address struct {
	Formatted string `json:"formatted"`
}

type User struct {
	Sub         string  `json:"sub"`
	GroupIDs    []int   `json:"group_ids"`
	GivenName   string  `json:"given_name"`
	Name        string  `json:"name"`
	Email       string  `json:"email"`
	PhoneNumber string  `json:"phone_number"`
	Address     Address `json:"address"`
	Picture     string  `json:"picture"`
}

// NewUser returns the user with that id.
func NewUser(row Row, id uint32) User {
	return User{
		Sub:         fmt.Sprintf("%s-%d", row["sub"], id),
		GroupIDs:    listOf[int](row["group_ids"]),
		GivenName:   row["given_name"].(string),
		Name:        row["name"].(string),
		Email:       row["email"].(string),
		PhoneNumber: row["phone_number"].(string),
		Address:     Address{Formatted: row["address"].(Row)["formatted"].(string)},
		Picture:     row["picture"].(string),
	}
}

type Person struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Picture string `json:"picture"`
}

func newPerson(row Row) Person {
	return Person{ID: row["id"].(int), Name: row["name"].(string), Picture: row["picture"].(string)}
}

type Sprint struct {
	ID    uint32    `json:"id"`
	Name  string    `json:"name"`
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

type Issue struct {
	ID               int       `json:"id"`
	Summary          string    `json:"summary"`
	DescriptionShort string    `json:"description_short"`
	Index            int       `json:"index"`
	StatusID         int       `json:"status_id"`
	StoryPoints      int       `json:"story_points"`
	Assigned         *Person   `json:"assigned,omitempty"`
	ModifiedAt       time.Time `json:"modified_at"`
}

func newIssue(row Row) (Issue, error) {
	modifiedAt, err := time.Parse(time.RFC3339, row["modified_at"].(string))
	issue := Issue{
		ID:               row["id"].(int),
		Summary:          row["summary"].(string),
		DescriptionShort: row["description_short"].(string),
		Index:            row["index"].(int),
		StatusID:         row["status_id"].(int),
		StoryPoints:      row["story_points"].(int),
		ModifiedAt:       modifiedAt,
	}
	if assigned, ok := row["assigned"].(Row); ok {
		person := newPerson(assigned)
		issue.Assigned = &person
	}
	return issue, err
}

// Board is a sprint with its issues.
type Board struct {
	Sprint Sprint  `json:"sprint"`
	Issues []Issue `json:"issues"`
}

// NewBoard returns the board of the sprint with that id.
func NewBoard(row Row, sprintID uint32) (Board, error) {
	sprint, rows := row["sprint"].(Row), row["issues"].([]any)
	start, err := time.Parse(time.RFC3339, sprint["start"].(string))
	if err != nil {
		return Board{}, err
	}
	end, err := time.Parse(time.RFC3339, sprint["end"].(string))
	if err != nil {
		return Board{}, err
	}
	board := Board{
		Sprint: Sprint{ID: sprintID, Name: sprint["name"].(string), Start: start, End: end},
		Issues: make([]Issue, len(rows)),
	}
	for i, row := range rows {
		if board.Issues[i], err = newIssue(row.(Row)); err != nil {
			return Board{}, err
		}
	}
	return board, nil
}

type Project struct {
	ID   int    `json:"id"`
	Key  string `json:"key"`
	Name string `json:"name"`
}

type Status struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Category string `json:"category"`
}

type Activity struct {
	ID        int       `json:"id"`
	Author    Person    `json:"author"`
	Kind      string    `json:"kind"`
	Message   string    `json:"message"`
	CreatedAt time.Time `json:"created_at"`
}

// TaskIn has the fields of a task that a client sends. A field that is not sent is nil; an empty field is not nil.
type TaskIn struct {
	Summary     *string   `json:"summary" binding:"required"`
	Description *string   `json:"description" binding:"required"`
	IssueType   *string   `json:"issue_type" binding:"required"`
	Priority    *string   `json:"priority" binding:"required"`
	Labels      *[]string `json:"labels" binding:"required"`
	Components  *[]string `json:"components" binding:"required"`
}

// Complete says whether all fields were sent.
func (t TaskIn) Complete() bool {
	return t.Summary != nil && t.Description != nil && t.IssueType != nil && t.Priority != nil &&
		t.Labels != nil && t.Components != nil
}

type Task struct {
	TaskIn
	ID        int        `json:"id"`
	Board     uint32     `json:"board"`
	Author    Person     `json:"author"`
	Assigned  Person     `json:"assigned"`
	Project   Project    `json:"project"`
	Status    Status     `json:"status"`
	Activity  []Activity `json:"activity"`
	CreatedAt time.Time  `json:"created_at"`
}

// NewTask returns the task that was sent to that board.
func NewTask(row Row, board uint32, sent TaskIn) (Task, error) {
	createdAt, err := time.Parse(time.RFC3339, row["created_at"].(string))
	if err != nil {
		return Task{}, err
	}
	project, status := row["project"].(Row), row["status"].(Row)
	task := Task{
		TaskIn:    sent,
		ID:        row["id"].(int),
		Board:     board,
		Author:    newPerson(row["author"].(Row)),
		Assigned:  newPerson(row["assigned"].(Row)),
		Project:   Project{ID: project["id"].(int), Key: project["key"].(string), Name: project["name"].(string)},
		Status:    Status{ID: status["id"].(int), Name: status["name"].(string), Category: status["category"].(string)},
		CreatedAt: createdAt,
	}
	for _, row := range row["activity"].([]any) {
		activity := row.(Row)
		at, err := time.Parse(time.RFC3339, activity["created_at"].(string))
		if err != nil {
			return Task{}, err
		}
		task.Activity = append(task.Activity, Activity{
			ID:        activity["id"].(int),
			Author:    newPerson(activity["author"].(Row)),
			Kind:      activity["kind"].(string),
			Message:   activity["message"].(string),
			CreatedAt: at,
		})
	}
	return task, nil
}

func listOf[T any](value any) []T {
	values := value.([]any)
	list := make([]T, len(values))
	for i, value := range values {
		list[i] = value.(T)
	}
	return list
}
