package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

func addWorkloadRaw(router *gin.Engine, processing *shared.Processing) {
	router.POST("/test/simple/raw", func(c *gin.Context) {
		sent, err := bindText(c, "payload")
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, gin.H{"payload": shared.Greeting(sent)})
	})
	router.POST("/test/timed/raw", func(c *gin.Context) {
		sent, err := bindText(c, "payload")
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		time.Sleep(shared.Timed)
		c.JSON(http.StatusOK, gin.H{"payload": shared.Greeting(sent)})
	})
	router.POST("/test/bcrypt", func(c *gin.Context) {
		sent, err := bindText(c, "payload")
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		hash, err := shared.HashPassword(sent)
		if err != nil {
			c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, gin.H{"payload": hash})
	})
	router.GET("/test/status", func(c *gin.Context) { c.String(http.StatusOK, "OK") })
	router.GET("/test/labels/:label", func(c *gin.Context) { c.String(http.StatusOK, "%s", c.Param("label")) })
	router.POST("/test", func(c *gin.Context) {
		sent, err := bindText(c, "message")
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, gin.H{"message": sent, "note": processing.Handle()})
	})
}

// bindText returns the text under a key of the body.
func bindText(c *gin.Context, key string) (string, error) {
	var body map[string]any
	if err := c.ShouldBindJSON(&body); err != nil {
		return "", err
	}
	text, ok := body[key].(string)
	if !ok {
		return "", fmt.Errorf("%s is no text", key)
	}
	return text, nil
}
