package main

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

type partPath struct {
	Part uint32 `uri:"part"`
}

// addRoutes registers the thirty routes that come before those that are measured.
func addRoutes(router *gin.Engine) {
	for number := range 10 {
		router.GET(fmt.Sprintf("/route-get-%d/:part", number), part)
		router.POST(fmt.Sprintf("/route-post-%d/:part", number), part)
		router.PUT(fmt.Sprintf("/route-put-%d/:part", number), part)
	}
}

func part(c *gin.Context) {
	var path partPath
	if err := c.ShouldBindUri(&path); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusOK, gin.H{"part": path.Part})
}
