package main

import (
	"net/url"
	"time"

	"github.com/gofiber/fiber/v3"

	"restbench/shared"
)

func addWorkloadRaw(app *fiber.App, processing *shared.Processing) {
	app.Post("/test/simple/raw", func(c fiber.Ctx) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		return c.JSON(fiber.Map{"payload": shared.Greeting(sent)})
	})
	app.Post("/test/timed/raw", func(c fiber.Ctx) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		time.Sleep(shared.Timed)
		return c.JSON(fiber.Map{"payload": shared.Greeting(sent)})
	})
	app.Post("/test/bcrypt", func(c fiber.Ctx) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			return err
		}
		return c.JSON(fiber.Map{"payload": hash})
	})
	app.Get("/test/status", func(c fiber.Ctx) error { return c.SendString("OK") })
	app.Get("/test/labels/:label", func(c fiber.Ctx) error {
		label, err := url.PathUnescape(c.Params("label"))
		if err != nil {
			return fiber.NewError(fiber.StatusBadRequest, err.Error())
		}
		return c.SendString(label)
	})
	app.Post("/test", func(c fiber.Ctx) error {
		sent, err := bindText(c, "message")
		if err != nil {
			return err
		}
		return c.JSON(fiber.Map{"message": sent, "note": processing.Handle()})
	})
}

// bindText returns the text under a key of the body.
func bindText(c fiber.Ctx, key string) (string, error) {
	var body map[string]any
	if err := c.Bind().WithAutoHandling().JSON(&body); err != nil {
		return "", err
	}
	text, ok := body[key].(string)
	if !ok {
		return "", fiber.NewError(fiber.StatusBadRequest, key+" is no text")
	}
	return text, nil
}
