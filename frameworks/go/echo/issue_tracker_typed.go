package main

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v5"

	"restbench/shared"
)

func addIssueTrackerTyped(e *echo.Echo, source *shared.Source) {
	api := e.Group("/api/v1")
	api.GET("/userinfo/typed/:id", func(c *echo.Context) error {
		id, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		user := source.TypedUser()
		user.Sub = fmt.Sprintf("%s-%d", user.Sub, id)
		return c.JSON(http.StatusOK, user)
	})
	api.GET("/sprint/typed/:id", func(c *echo.Context) error {
		id, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		board := source.TypedSprint()
		board.Sprint.ID = id
		return c.JSON(http.StatusOK, board)
	})
	api.POST("/board/typed/:id/task", func(c *echo.Context) error {
		board, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		var sent shared.TaskIn
		if err := bindValid(c, &sent); err != nil {
			return err
		}
		task := source.TypedTask()
		task.Board, task.TaskIn = board, sent
		return c.JSON(http.StatusCreated, task)
	})
	api.PUT("/board/typed/:id/task", func(c *echo.Context) error {
		if _, err := echo.PathParam[uint32](c, "id"); err != nil {
			return err
		}
		var sent shared.TaskIn
		if err := bindValid(c, &sent); err != nil {
			return err
		}
		source.SaveTask(sent)
		return c.NoContent(http.StatusNoContent)
	})
}
