package main

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

type payload struct {
	Payload *string `json:"payload" binding:"required"`
}

func addWorkloadTyped(router *gin.Engine) {
	router.POST("/test/simple/typed", func(c *gin.Context) {
		var sent payload
		if err := c.ShouldBindJSON(&sent); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		answerPayload(c, shared.Greeting(*sent.Payload))
	})
	router.POST("/test/timed/typed", func(c *gin.Context) {
		var sent payload
		if err := c.ShouldBindJSON(&sent); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		time.Sleep(shared.Timed)
		answerPayload(c, shared.Greeting(*sent.Payload))
	})
}

func answerPayload(c *gin.Context, text string) {
	c.JSON(http.StatusOK, payload{&text})
}
