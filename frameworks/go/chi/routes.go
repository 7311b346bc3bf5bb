package main

import (
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/render"
)

// addRoutes registers the thirty routes that come before those that are measured.
func addRoutes(router chi.Router) {
	for number := range 10 {
		router.Get(fmt.Sprintf("/route-get-%d/{part}", number), part)
		router.Post(fmt.Sprintf("/route-post-%d/{part}", number), part)
		router.Put(fmt.Sprintf("/route-put-%d/{part}", number), part)
	}
}

func part(w http.ResponseWriter, r *http.Request) {
	if part, ok := pathInteger(w, r, "part"); ok {
		render.JSON(w, r, map[string]uint32{"part": part})
	}
}
