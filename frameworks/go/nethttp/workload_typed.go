package main

import (
	"net/http"
	"time"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload" validate:"required"`
}

func addWorkloadTyped(mux *http.ServeMux) {
	mux.HandleFunc("POST /test/simple/typed", func(w http.ResponseWriter, r *http.Request) {
		var sent payload
		if readValid(w, r, &sent) {
			writePayload(w, shared.Greeting(*sent.Payload))
		}
	})
	mux.HandleFunc("POST /test/timed/typed", func(w http.ResponseWriter, r *http.Request) {
		var sent payload
		if readValid(w, r, &sent) {
			time.Sleep(shared.Timed)
			writePayload(w, shared.Greeting(*sent.Payload))
		}
	})
}

func writePayload(w http.ResponseWriter, text string) {
	writeJSON(w, http.StatusOK, payload{&text})
}
