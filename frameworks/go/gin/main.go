package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"

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
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/hello_world", func(c *gin.Context) { c.String(http.StatusOK, "Hello World") })
	addRoutes(router)
	addIssueTrackerRaw(router, source)
	addIssueTrackerTyped(router, source)
	addWorkloadRaw(router, shared.NewProcessing())
	addWorkloadTyped(router)
	addRegistry(router, shared.NewSolr())

	server := http.Server{Addr: shared.ListenAddress(), Handler: router.Handler()}
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
