package shared

import "time"

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

type Person struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Picture string `json:"picture"`
}

// Sprint has an id that its row does not have: the entry sets it.
type Sprint struct {
	ID    uint32    `json:"id" row:"optional"`
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
	Assigned         *Person   `json:"assigned,omitempty" row:"optional"`
	ModifiedAt       time.Time `json:"modified_at"`
}

// Board is a sprint with its issues. They are pointers, because lending copies the list and one issue.
type Board struct {
	Sprint Sprint   `json:"sprint"`
	Issues []*Issue `json:"issues"`
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

// TaskIn has the fields of a task that a client sends. A value that is missing or null is nil, and breaks the rule
// "required" of go-playground/validator. An empty one keeps it.
type TaskIn struct {
	Summary     *string   `json:"summary" validate:"required"`
	Description *string   `json:"description" validate:"required"`
	IssueType   *string   `json:"issue_type" validate:"required"`
	Priority    *string   `json:"priority" validate:"required"`
	Labels      []*string `json:"labels" validate:"required,dive,required"`
	Components  []*string `json:"components" validate:"required,dive,required"`
}

// Task has fields that its row does not have: the entry sets those that were sent, and the board.
type Task struct {
	TaskIn    `row:"optional"`
	ID        int        `json:"id"`
	Board     uint32     `json:"board" row:"optional"`
	Author    Person     `json:"author"`
	Assigned  Person     `json:"assigned"`
	Project   Project    `json:"project"`
	Status    Status     `json:"status"`
	Activity  []Activity `json:"activity"`
	CreatedAt time.Time  `json:"created_at"`
}
