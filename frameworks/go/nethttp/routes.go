package main

import (
	"fmt"
	"net/http"
)

// addRoutes registers the thirty routes that come before those that are measured.
func addRoutes(mux *http.ServeMux) {
	for number := range 10 {
		mux.HandleFunc(fmt.Sprintf("GET /route-get-%d/{part}", number), part)
		mux.HandleFunc(fmt.Sprintf("POST /route-post-%d/{part}", number), part)
		mux.HandleFunc(fmt.Sprintf("PUT /route-put-%d/{part}", number), part)
	}
}

func part(w http.ResponseWriter, r *http.Request) {
	if part, ok := pathInteger(w, r, "part"); ok {
		writeJSON(w, http.StatusOK, map[string]uint32{"part": part})
	}
}
