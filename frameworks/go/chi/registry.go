package main

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/render"

	"restbench/shared"
)

func addRegistry(router chi.Router, solr *shared.Solr) {
	router.Get("/json_serialization/typed", func(w http.ResponseWriter, r *http.Request) {
		given := r.URL.Query()["document_type"]
		if len(given) != 1 {
			http.Error(w, "one document_type is asked for", http.StatusBadRequest)
			return
		}
		documentType, err := strconv.ParseInt(given[0], 10, 32)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if documents, ok := selected(w, solr, int32(documentType)); ok {
			render.JSON(w, r, documents)
		}
	})
	router.Get("/anonymization/typed", func(w http.ResponseWriter, r *http.Request) {
		if documents, ok := selected(w, solr, 1); ok {
			for i := range documents {
				documents[i].Anonymize()
			}
			render.JSON(w, r, documents)
		}
	})
}

// selected returns the documents of a type. If Solr does not answer, it answers with 503 and returns false.
func selected(w http.ResponseWriter, solr *shared.Solr, documentType int32) ([]shared.Document, bool) {
	documents, err := solr.Select(documentType)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return nil, false
	}
	return documents, true
}
