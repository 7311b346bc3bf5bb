package main

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/render"

	"restbench/shared"
)

func addWorkloadRaw(router chi.Router, processing *shared.Processing) {
	router.Post("/test/simple/raw", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "payload"); ok {
			render.JSON(w, r, render.M{"payload": shared.Greeting(sent)})
		}
	})
	router.Post("/test/timed/raw", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "payload"); ok {
			time.Sleep(shared.Timed)
			render.JSON(w, r, render.M{"payload": shared.Greeting(sent)})
		}
	})
	router.Post("/test/bcrypt", func(w http.ResponseWriter, r *http.Request) {
		sent, ok := readText(w, r, "payload")
		if !ok {
			return
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		render.JSON(w, r, render.M{"payload": hash})
	})
	router.Get("/test/status", func(w http.ResponseWriter, r *http.Request) {
		render.PlainText(w, r, "OK")
	})
	router.Get("/test/labels/{label}", func(w http.ResponseWriter, r *http.Request) {
		label, err := pathText(r, "label")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		render.PlainText(w, r, label)
	})
	router.Post("/test", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "message"); ok {
			render.JSON(w, r, render.M{"message": sent, "note": processing.Handle()})
		}
	})
}

// readText returns the text under a key of the body. If there is none, it answers with 400 and returns false.
func readText(w http.ResponseWriter, r *http.Request, key string) (string, bool) {
	var body map[string]any
	if err := render.Decode(r, &body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return "", false
	}
	text, ok := body[key].(string)
	if !ok {
		http.Error(w, key+" is no text", http.StatusBadRequest)
	}
	return text, ok
}
