package main

import (
	"context"
	"log"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

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
	e := echo.NewWithConfig(echo.Config{
		// Without this, Echo leaves labels as they were sent wherever net/http keeps the raw path.
		Router:    echo.NewRouter(echo.RouterConfig{UnescapePathParamValues: true}),
		Validator: &structValidator{validator.New()},
	})
	e.Use(middleware.Recover())
	e.GET("/hello_world", func(c *echo.Context) error { return c.String(http.StatusOK, "Hello World") })
	addRoutes(e)
	addIssueTrackerRaw(e, source)
	addIssueTrackerTyped(e, source)
	addWorkloadRaw(e, shared.NewProcessing())
	addWorkloadTyped(e)
	addRegistry(e, shared.NewSolr())

	terminated, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := echo.StartConfig{Address: shared.ListenAddress(), GracefulTimeout: grace}
	if err := server.Start(terminated, e); err != nil {
		log.Fatal(err)
	}
}
