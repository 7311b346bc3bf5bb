package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/go-playground/validator/v10"
)

var validate = validator.New(validator.WithRequiredStructEnabled())

// readJSON parses the body. If the body as a whole is not JSON, it answers with 400 and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, body any) bool {
	content, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(content, body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

// readValid parses and validates the body. If the body does not fit its type, it answers with 400 and returns false.
func readValid(w http.ResponseWriter, r *http.Request, body any) bool {
	if !readJSON(w, r, body) {
		return false
	}
	if err := validate.Struct(body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, text)
}

// pathInteger returns an integer of the path. If the path has none, it answers with 400 and returns false.
func pathInteger(w http.ResponseWriter, r *http.Request, name string) (uint32, bool) {
	number, err := strconv.ParseUint(r.PathValue(name), 10, 32)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return 0, false
	}
	return uint32(number), true
}
