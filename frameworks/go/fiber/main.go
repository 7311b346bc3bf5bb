package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/gofiber/fiber/v3"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"

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
	app := fiber.New(fiber.Config{StructValidator: &structValidator{validator.New()}})
	app.Use(recoverer.New())
	app.Get("/hello_world", func(c fiber.Ctx) error { return c.SendString("Hello World") })
	addRoutes(app)
	addIssueTrackerRaw(app, source)
	addIssueTrackerTyped(app, source)
	addWorkloadRaw(app, shared.NewProcessing())
	addWorkloadTyped(app)
	addRegistry(app, shared.NewSolr())

	go func() {
		if err := app.Listen(shared.ListenAddress()); err != nil {
			log.Fatal(err)
		}
	}()

	terminated, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-terminated.Done()
	if err := app.ShutdownWithTimeout(grace); err != nil {
		log.Print(err)
	}
}
