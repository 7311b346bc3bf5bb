package main

import (
	"fmt"
	"maps"
	"net/http"

	"restbench/shared"
)

func addIssueTrackerRaw(mux *http.ServeMux, source *shared.Source) {
	mux.HandleFunc("GET /api/v1/userinfo/raw/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, ok := pathInteger(w, r, "id"); ok {
			user := source.User()
			user["sub"] = fmt.Sprintf("%s-%d", user["sub"], id)
			writeJSON(w, http.StatusOK, user)
		}
	})
	mux.HandleFunc("GET /api/v1/sprint/raw/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, ok := pathInteger(w, r, "id"); ok {
			board := source.Sprint()
			board["sprint"].(shared.Row)["id"] = id
			writeJSON(w, http.StatusOK, board)
		}
	})
	mux.HandleFunc("POST /api/v1/board/raw/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		board, ok := pathInteger(w, r, "id")
		if !ok {
			return
		}
		sent, ok := readTask(w, r)
		if !ok {
			return
		}
		task := source.Task()
		task["board"] = board
		maps.Copy(task, sent)
		writeJSON(w, http.StatusCreated, task)
	})
	mux.HandleFunc("PUT /api/v1/board/raw/{id}/task", func(w http.ResponseWriter, r *http.Request) {
		if _, ok := pathInteger(w, r, "id"); !ok {
			return
		}
		if sent, ok := readTask(w, r); ok {
			source.SaveTask(sent)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// readTask returns the fields of the task that was sent. If one is missing, it answers with 400 and returns false.
func readTask(w http.ResponseWriter, r *http.Request) (shared.Row, bool) {
	var body shared.Row
	if !readJSON(w, r, &body) {
		return nil, false
	}
	task, err := shared.TaskOf(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil, false
	}
	return task, true
}
