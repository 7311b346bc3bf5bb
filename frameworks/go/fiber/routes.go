package main

import (
	"fmt"

	"github.com/gofiber/fiber/v3"
)

type partPath struct {
	Part uint32 `uri:"part"`
}

// addRoutes registers the thirty routes that come before those that are measured.
func addRoutes(app *fiber.App) {
	for number := range 10 {
		app.Get(fmt.Sprintf("/route-get-%d/:part", number), part)
		app.Post(fmt.Sprintf("/route-post-%d/:part", number), part)
		app.Put(fmt.Sprintf("/route-put-%d/:part", number), part)
	}
}

func part(c fiber.Ctx) error {
	var path partPath
	if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
		return err
	}
	return c.JSON(fiber.Map{"part": path.Part})
}
