package main

import (
	"net/http"
	"time"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload"`
}

type message struct {
	Message *string `json:"message"`
}

type handled struct {
	Message string `json:"message"`
	Note    string `json:"note"`
}

func addWorkload(mux *http.ServeMux, processing *shared.Processing) {
	mux.HandleFunc("POST /test/simple", withPayload(func(w http.ResponseWriter, sent string) {
		writePayload(w, shared.Greeting(sent))
	}))
	mux.HandleFunc("POST /test/timed", withPayload(func(w http.ResponseWriter, sent string) {
		time.Sleep(shared.Timed)
		writePayload(w, shared.Greeting(sent))
	}))
	mux.HandleFunc("POST /test/bcrypt", withPayload(func(w http.ResponseWriter, sent string) {
		hash, err := shared.HashPassword(sent)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writePayload(w, hash)
	}))
	mux.HandleFunc("GET /test/status", func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, "OK")
	})
	mux.HandleFunc("GET /test/labels/{label}", func(w http.ResponseWriter, r *http.Request) {
		writeText(w, r.PathValue("label"))
	})
	mux.HandleFunc("POST /test", func(w http.ResponseWriter, r *http.Request) {
		var sent message
		if !readJSON(w, r, &sent) {
			return
		}
		if sent.Message == nil {
			http.Error(w, "message is missing", http.StatusBadRequest)
			return
		}
		writeJSON(w, http.StatusOK, handled{*sent.Message, processing.Handle()})
	})
}

// withPayload parses the body, and calls the handler with its payload.
func withPayload(handle func(http.ResponseWriter, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var sent payload
		if !readJSON(w, r, &sent) {
			return
		}
		if sent.Payload == nil {
			http.Error(w, "payload is missing", http.StatusBadRequest)
			return
		}
		handle(w, *sent.Payload)
	}
}

func writePayload(w http.ResponseWriter, text string) {
	writeJSON(w, http.StatusOK, payload{&text})
}
