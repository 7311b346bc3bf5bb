package main

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v5"
)

// addRoutes registers the thirty routes that come before those that are measured.
func addRoutes(e *echo.Echo) {
	for number := range 10 {
		e.GET(fmt.Sprintf("/route-get-%d/:part", number), part)
		e.POST(fmt.Sprintf("/route-post-%d/:part", number), part)
		e.PUT(fmt.Sprintf("/route-put-%d/:part", number), part)
	}
}

func part(c *echo.Context) error {
	part, err := echo.PathParam[uint32](c, "part")
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]uint32{"part": part})
}
