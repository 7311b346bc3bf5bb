package main

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

func addWorkloadRaw(router *gin.Engine, processing *shared.Processing) {
	router.POST("/test/simple/raw", func(c *gin.Context) {
		if sent, ok := bindText(c, "payload"); ok {
			c.JSON(http.StatusOK, gin.H{"payload": shared.Greeting(sent)})
		}
	})
	router.POST("/test/timed/raw", func(c *gin.Context) {
		if sent, ok := bindText(c, "payload"); ok {
			time.Sleep(shared.Timed)
			c.JSON(http.StatusOK, gin.H{"payload": shared.Greeting(sent)})
		}
	})
	router.POST("/test/bcrypt", func(c *gin.Context) {
		sent, ok := bindText(c, "payload")
		if !ok {
			return
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.JSON(http.StatusOK, gin.H{"payload": hash})
	})
	router.GET("/test/status", func(c *gin.Context) { c.String(http.StatusOK, "OK") })
	router.GET("/test/labels/:label", func(c *gin.Context) { c.String(http.StatusOK, "%s", c.Param("label")) })
	router.POST("/test", func(c *gin.Context) {
		if sent, ok := bindText(c, "message"); ok {
			c.JSON(http.StatusOK, gin.H{"message": sent, "note": processing.Handle()})
		}
	})
}

// bindText has the text under a key of the body. Where there is none, that is answered with 400.
func bindText(c *gin.Context, key string) (string, bool) {
	var body map[string]any
	if c.BindJSON(&body) != nil {
		return "", false
	}
	text, ok := body[key].(string)
	if !ok {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": key + " is no text"})
	}
	return text, ok
}
