// Step 3: use the framework in place of net/http.
package main

import (
	"context"
	"errors"
	"io"
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
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello_world", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Hello World")
	})
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
