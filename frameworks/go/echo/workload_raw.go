package main

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"restbench/shared"
)

func addWorkloadRaw(e *echo.Echo, processing *shared.Processing) {
	e.POST("/test/simple/raw", func(c *echo.Context) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]any{"payload": shared.Greeting(sent)})
	})
	e.POST("/test/timed/raw", func(c *echo.Context) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		time.Sleep(shared.Timed)
		return c.JSON(http.StatusOK, map[string]any{"payload": shared.Greeting(sent)})
	})
	e.POST("/test/bcrypt", func(c *echo.Context) error {
		sent, err := bindText(c, "payload")
		if err != nil {
			return err
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]any{"payload": hash})
	})
	e.GET("/test/status", func(c *echo.Context) error { return c.String(http.StatusOK, "OK") })
	e.GET("/test/labels/:label", func(c *echo.Context) error { return c.String(http.StatusOK, c.Param("label")) })
	e.POST("/test", func(c *echo.Context) error {
		sent, err := bindText(c, "message")
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]any{"message": sent, "note": processing.Handle()})
	})
}

// bindText returns the text under a key of the body.
func bindText(c *echo.Context, key string) (string, error) {
	var body map[string]any
	if err := echo.BindBody(c, &body); err != nil {
		return "", err
	}
	text, ok := body[key].(string)
	if !ok {
		return "", echo.NewHTTPError(http.StatusBadRequest, key+" is no text")
	}
	return text, nil
}
