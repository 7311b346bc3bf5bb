package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/render"

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
	render.Decode = decodeWhole
	router := chi.NewRouter()
	router.Use(middleware.Recoverer)
	router.Get("/hello_world", helloWorld)
	addRoutes(router)
	addIssueTrackerRaw(router, source)
	addWorkloadRaw(router, shared.NewProcessing())
	addRegistry(router, shared.NewSolr())

	server := http.Server{Addr: shared.ListenAddress(), Handler: router}
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

func helloWorld(w http.ResponseWriter, r *http.Request) {
	render.PlainText(w, r, "Hello World")
}
