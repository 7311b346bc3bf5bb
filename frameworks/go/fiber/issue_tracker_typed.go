package main

import (
	"fmt"

	"github.com/gofiber/fiber/v3"

	"restbench/shared"
)

func addIssueTrackerTyped(app *fiber.App, source *shared.Source) {
	api := app.Group("/api/v1")
	api.Get("/userinfo/typed/:id", func(c fiber.Ctx) error {
		var path idPath
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		user := source.TypedUser()
		user.Sub = fmt.Sprintf("%s-%d", user.Sub, path.ID)
		return c.JSON(user)
	})
	api.Get("/sprint/typed/:id", func(c fiber.Ctx) error {
		var path idPath
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		board := source.TypedSprint()
		board.Sprint.ID = path.ID
		return c.JSON(board)
	})
	api.Post("/board/typed/:id/task", func(c fiber.Ctx) error {
		var path idPath
		var sent shared.TaskIn
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		if err := c.Bind().WithAutoHandling().JSON(&sent); err != nil {
			return err
		}
		task := source.TypedTask()
		task.Board, task.TaskIn = path.ID, sent
		return c.Status(fiber.StatusCreated).JSON(task)
	})
	api.Put("/board/typed/:id/task", func(c fiber.Ctx) error {
		var path idPath
		var sent shared.TaskIn
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		if err := c.Bind().WithAutoHandling().JSON(&sent); err != nil {
			return err
		}
		source.SaveTask(sent)
		return c.SendStatus(fiber.StatusNoContent)
	})
}
