package main

import (
	"net/http"
	"strconv"

	"restbench/shared"
)

func addRegistry(mux *http.ServeMux, solr *shared.Solr) {
	mux.HandleFunc("GET /json_serialization/typed", func(w http.ResponseWriter, r *http.Request) {
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
			writeJSON(w, http.StatusOK, documents)
		}
	})
	mux.HandleFunc("GET /anonymization/typed", func(w http.ResponseWriter, _ *http.Request) {
		if documents, ok := selected(w, solr, 1); ok {
			for i := range documents {
				documents[i].Anonymize()
			}
			writeJSON(w, http.StatusOK, documents)
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
