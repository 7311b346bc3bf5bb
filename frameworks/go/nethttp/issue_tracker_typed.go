package main

import (
	"fmt"
	"net/http"

	"restbench/shared"
)

func addIssueTrackerTyped(mux *http.ServeMux, source *shared.Source) {
	mux.HandleFunc("GET /api/v1/userinfo/typed/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, ok := pathInteger(w, r, "id"); ok {
			user := source.TypedUser()
			user.Sub = fmt.Sprintf("%s-%d", user.Sub, id)
			writeJSON(w, http.StatusOK, user)
		}
	})
	mux.HandleFunc("GET /api/v1/sprint/typed/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, ok := pathInteger(w, r, "id"); ok {
			board := source.TypedSprint()
			board.Sprint.ID = id
			writeJSON(w, http.StatusOK, board)
		}
	})
	mux.HandleFunc("POST /api/v1/board/typed/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		var sent shared.TaskIn
		if board, ok := pathInteger(w, r, "id"); ok && readValid(w, r, &sent) {
			task := source.TypedTask()
			task.Board, task.TaskIn = board, sent
			writeJSON(w, http.StatusCreated, task)
		}
	})
	mux.HandleFunc("PUT /api/v1/board/typed/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		var sent shared.TaskIn
		if _, ok := pathInteger(w, r, "id"); ok && readValid(w, r, &sent) {
			source.SaveTask(sent)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}
