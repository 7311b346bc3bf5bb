package main

import (
	"fmt"
	"maps"
	"net/http"

	"github.com/labstack/echo/v5"

	"restbench/shared"
)

func addIssueTrackerRaw(e *echo.Echo, source *shared.Source) {
	api := e.Group("/api/v1")
	api.GET("/userinfo/raw/:id", func(c *echo.Context) error {
		id, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		user := source.User()
		user["sub"] = fmt.Sprintf("%s-%d", user["sub"], id)
		return c.JSON(http.StatusOK, user)
	})
	api.GET("/sprint/raw/:id", func(c *echo.Context) error {
		id, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		board := source.Sprint()
		board["sprint"].(shared.Row)["id"] = id
		return c.JSON(http.StatusOK, board)
	})
	api.POST("/board/raw/:id/task", func(c *echo.Context) error {
		board, err := echo.PathParam[uint32](c, "id")
		if err != nil {
			return err
		}
		sent, err := bindTask(c)
		if err != nil {
			return err
		}
		task := source.Task()
		task["board"] = board
		maps.Copy(task, sent)
		return c.JSON(http.StatusCreated, task)
	})
	api.PUT("/board/raw/:id/task", func(c *echo.Context) error {
		if _, err := echo.PathParam[uint32](c, "id"); err != nil {
			return err
		}
		sent, err := bindTask(c)
		if err != nil {
			return err
		}
		source.SaveTask(sent)
		return c.NoContent(http.StatusNoContent)
	})
}

// bindTask returns the fields of the task that was sent.
func bindTask(c *echo.Context) (shared.Row, error) {
	var body shared.Row
	if err := echo.BindBody(c, &body); err != nil {
		return nil, err
	}
	task, err := shared.TaskOf(body)
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	return task, nil
}
