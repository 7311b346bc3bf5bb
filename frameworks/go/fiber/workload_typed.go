package main

import (
	"time"

	"github.com/gofiber/fiber/v3"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload" validate:"required"`
}

func addWorkloadTyped(app *fiber.App) {
	app.Post("/test/simple/typed", func(c fiber.Ctx) error {
		var sent payload
		if err := c.Bind().WithAutoHandling().JSON(&sent); err != nil {
			return err
		}
		return answerPayload(c, shared.Greeting(*sent.Payload))
	})
	app.Post("/test/timed/typed", func(c fiber.Ctx) error {
		var sent payload
		if err := c.Bind().WithAutoHandling().JSON(&sent); err != nil {
			return err
		}
		time.Sleep(shared.Timed)
		return answerPayload(c, shared.Greeting(*sent.Payload))
	})
}

func answerPayload(c fiber.Ctx, text string) error {
	return c.JSON(payload{&text})
}
