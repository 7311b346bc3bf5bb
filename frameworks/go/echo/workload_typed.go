package main

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload" validate:"required"`
}

func addWorkloadTyped(e *echo.Echo) {
	e.POST("/test/simple/typed", func(c *echo.Context) error {
		var sent payload
		if err := bindValid(c, &sent); err != nil {
			return err
		}
		return answerPayload(c, shared.Greeting(*sent.Payload))
	})
	e.POST("/test/timed/typed", func(c *echo.Context) error {
		var sent payload
		if err := bindValid(c, &sent); err != nil {
			return err
		}
		time.Sleep(shared.Timed)
		return answerPayload(c, shared.Greeting(*sent.Payload))
	})
}

func answerPayload(c *echo.Context, text string) error {
	return c.JSON(http.StatusOK, payload{&text})
}
