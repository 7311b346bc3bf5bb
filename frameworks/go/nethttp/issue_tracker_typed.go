package main

import (
	"net/http"

	"restbench/shared"
)

func addIssueTrackerTyped(mux *http.ServeMux, source *shared.Source) {
	mux.HandleFunc("GET /api/v1/userinfo/typed/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, ok := pathInteger(w, r, "id"); ok {
			writeJSON(w, http.StatusOK, shared.NewUser(source.User(), id))
		}
	})
	mux.HandleFunc("GET /api/v1/sprint/typed/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, ok := pathInteger(w, r, "id")
		if !ok {
			return
		}
		board, err := shared.NewBoard(source.Sprint(), id)
		writeMade(w, http.StatusOK, board, err)
	})
	mux.HandleFunc("POST /api/v1/board/typed/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		id, ok := pathInteger(w, r, "id")
		if !ok {
			return
		}
		if sent, ok := readTaskIn(w, r); ok {
			task, err := shared.NewTask(source.Task(), id, sent)
			writeMade(w, http.StatusCreated, task, err)
		}
	})
	mux.HandleFunc("PUT /api/v1/board/typed/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		if _, ok := pathInteger(w, r, "id"); !ok {
			return
		}
		if sent, ok := readTaskIn(w, r); ok {
			source.SaveTask(sent)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// readTaskIn parses the task that was sent. Where a field is missing, it answers with 400 and says false.
func readTaskIn(w http.ResponseWriter, r *http.Request) (shared.TaskIn, bool) {
	var sent shared.TaskIn
	if !readJSON(w, r, &sent) {
		return sent, false
	}
	if !sent.Complete() {
		http.Error(w, "a field of the task is missing", http.StatusBadRequest)
		return sent, false
	}
	return sent, true
}

// writeMade answers with what was made of a row, or with 500 where the row is none that it can be made of.
func writeMade(w http.ResponseWriter, status int, value any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, status, value)
}
