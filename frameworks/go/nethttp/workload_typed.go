package main

import (
	"net/http"
	"time"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload"`
}

func addWorkloadTyped(mux *http.ServeMux) {
	mux.HandleFunc("POST /test/simple/typed", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readPayload(w, r); ok {
			writePayload(w, shared.Greeting(sent))
		}
	})
	mux.HandleFunc("POST /test/timed/typed", func(w http.ResponseWriter, r *http.Request) {
		if sent, ok := readPayload(w, r); ok {
			time.Sleep(shared.Timed)
			writePayload(w, shared.Greeting(sent))
		}
	})
}

// readPayload parses the body, and has its payload. Where it is missing, it answers with 400 and says false.
func readPayload(w http.ResponseWriter, r *http.Request) (string, bool) {
	var sent payload
	if !readJSON(w, r, &sent) {
		return "", false
	}
	if sent.Payload == nil {
		http.Error(w, "payload is missing", http.StatusBadRequest)
		return "", false
	}
	return *sent.Payload, true
}

func writePayload(w http.ResponseWriter, text string) {
	writeJSON(w, http.StatusOK, payload{&text})
}
