package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"restbench/shared"
)

// grace is how long requests may take to end after SIGTERM.
const grace = time.Second

func main() {
	shared.UseWorkers()
	source, err := shared.NewSource()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello_world", helloWorld)
	addRoutes(mux)
	addIssueTrackerRaw(mux, source)
	addIssueTrackerTyped(mux, source)
	addWorkloadRaw(mux, shared.NewProcessing())
	addWorkloadTyped(mux)
	addRegistry(mux, shared.NewSolr())

	server := http.Server{Addr: shared.ListenAddress(), Handler: mux}
	go func() {
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()

	terminated, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-terminated.Done()
	ending, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		log.Print(err)
	}
}

func helloWorld(w http.ResponseWriter, _ *http.Request) {
	writeText(w, "Hello World")
}
