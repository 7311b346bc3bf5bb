package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"
)

// decodeWhole parses a body of JSON. Render's own decoder would ignore what follows the first value.
func decodeWhole(r *http.Request, body any) error {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, body)
}

// pathInteger returns an integer of the path. If the path has none, it answers with 400 and returns false.
func pathInteger(w http.ResponseWriter, r *http.Request, name string) (uint32, bool) {
	number, err := strconv.ParseUint(chi.URLParam(r, name), 10, 32)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return 0, false
	}
	return uint32(number), true
}

// pathText returns a text of the path, decoded. Chi takes it from RawPath, and does not decode it, if there is one.
func pathText(r *http.Request, name string) (string, error) {
	text := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return text, nil
	}
	return url.PathUnescape(text)
}
