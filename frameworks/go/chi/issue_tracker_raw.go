package main

import (
	"fmt"
	"maps"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/render"

	"restbench/shared"
)

func addIssueTrackerRaw(router chi.Router, source *shared.Source) {
	router.Route("/api/v1", func(api chi.Router) {
		api.Get("/userinfo/raw/{id}", func(w http.ResponseWriter, r *http.Request) {
			if id, ok := pathInteger(w, r, "id"); ok {
				user := source.User()
				user["sub"] = fmt.Sprintf("%s-%d", user["sub"], id)
				render.JSON(w, r, user)
			}
		})
		api.Get("/sprint/raw/{id}", func(w http.ResponseWriter, r *http.Request) {
			if id, ok := pathInteger(w, r, "id"); ok {
				board := source.Sprint()
				board["sprint"].(shared.Row)["id"] = id
				render.JSON(w, r, board)
			}
		})
		api.Post("/board/raw/{id}/task", func(w http.ResponseWriter, r *http.Request) {
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
			render.Status(r, http.StatusCreated)
			render.JSON(w, r, task)
		})
		api.Put("/board/raw/{id}/task", func(w http.ResponseWriter, r *http.Request) {
			if _, ok := pathInteger(w, r, "id"); !ok {
				return
			}
			if sent, ok := readTask(w, r); ok {
				source.SaveTask(sent)
				render.NoContent(w, r)
			}
		})
	})
}

// readTask returns the fields of the task that was sent. If there is none, it answers with 400 and returns false.
func readTask(w http.ResponseWriter, r *http.Request) (shared.Row, bool) {
	var body shared.Row
	if err := render.Decode(r, &body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil, false
	}
	task, err := shared.TaskOf(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil, false
	}
	return task, true
}
