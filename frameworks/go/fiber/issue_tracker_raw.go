package main

import (
	"fmt"
	"maps"

	"github.com/gofiber/fiber/v3"

	"restbench/shared"
)

type idPath struct {
	ID uint32 `uri:"id"`
}

func addIssueTrackerRaw(app *fiber.App, source *shared.Source) {
	api := app.Group("/api/v1")
	api.Get("/userinfo/raw/:id", func(c fiber.Ctx) error {
		var path idPath
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		user := source.User()
		user["sub"] = fmt.Sprintf("%s-%d", user["sub"], path.ID)
		return c.JSON(user)
	})
	api.Get("/sprint/raw/:id", func(c fiber.Ctx) error {
		var path idPath
		if err := c.Bind().WithAutoHandling().URI(&path); err != nil {
			return err
		}
		board := source.Sprint()
		board["sprint"].(shared.Row)["id"] = path.ID
		return c.JSON(board)
	})
	api.Post("/board/raw/:id/task", func(c fiber.Ctx) error {
		var path idPath
		sent, err := bindTask(c, &path)
		if err != nil {
			return err
		}
		task := source.Task()
		task["board"] = path.ID
		maps.Copy(task, sent)
		return c.Status(fiber.StatusCreated).JSON(task)
	})
	api.Put("/board/raw/:id/task", func(c fiber.Ctx) error {
		var path idPath
		sent, err := bindTask(c, &path)
		if err != nil {
			return err
		}
		source.SaveTask(sent)
		return c.SendStatus(fiber.StatusNoContent)
	})
}

// bindTask binds the path, and returns the fields of the task that was sent.
func bindTask(c fiber.Ctx, path *idPath) (shared.Row, error) {
	if err := c.Bind().WithAutoHandling().URI(path); err != nil {
		return nil, err
	}
	var body shared.Row
	if err := c.Bind().WithAutoHandling().JSON(&body); err != nil {
		return nil, err
	}
	task, err := shared.TaskOf(body)
	if err != nil {
		return nil, fiber.NewError(fiber.StatusBadRequest, err.Error())
	}
	return task, nil
}
