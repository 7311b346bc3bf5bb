package main

import (
	"net/http"
	"time"

	"restbench/shared"
)

func addWorkloadRaw(mux *http.ServeMux, processing *shared.Processing) {
	mux.HandleFunc("POST /test/simple/raw", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "payload"); ok {
			writeJSON(w, http.StatusOK, map[string]any{"payload": shared.Greeting(sent)})
		}
	})
	mux.HandleFunc("POST /test/timed/raw", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "payload"); ok {
			time.Sleep(shared.Timed)
			writeJSON(w, http.StatusOK, map[string]any{"payload": shared.Greeting(sent)})
		}
	})
	mux.HandleFunc("POST /test/bcrypt", func(w http.ResponseWriter, r *http.Request) {
		sent, ok := readText(w, r, "payload")
		if !ok {
			return
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{"payload": hash})
	})
	mux.HandleFunc("GET /test/status", func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, "OK")
	})
	mux.HandleFunc("GET /test/labels/{label}", func(w http.ResponseWriter, r *http.Request) {
		writeText(w, r.PathValue("label"))
	})
	mux.HandleFunc("POST /test", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readText(w, r, "message"); ok {
			writeJSON(w, http.StatusOK, map[string]any{"message": sent, "note": processing.Handle()})
		}
	})
}

// readText returns the text under a key of the body. If there is none, it answers with 400 and returns false.
func readText(w http.ResponseWriter, r *http.Request, key string) (string, bool) {
	var body map[string]any
	if !readJSON(w, r, &body) {
		return "", false
	}
	text, ok := body[key].(string)
	if !ok {
		http.Error(w, key+" is no text", http.StatusBadRequest)
	}
	return text, ok
}
