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

type message struct {
	Message *string `json:"message" binding:"required"`
}

type handled struct {
	Message string `json:"message"`
	Note    string `json:"note"`
}

func addWorkload(router *gin.Engine, processing *shared.Processing) {
	router.POST("/test/simple", func(c *gin.Context) {
		var sent payload
		if bindJSON(c, &sent) {
			answerPayload(c, shared.Greeting(*sent.Payload))
		}
	})
	router.POST("/test/timed", func(c *gin.Context) {
		var sent payload
		if bindJSON(c, &sent) {
			time.Sleep(shared.Timed)
			answerPayload(c, shared.Greeting(*sent.Payload))
		}
	})
	router.POST("/test/bcrypt", func(c *gin.Context) {
		var sent payload
		if !bindJSON(c, &sent) {
			return
		}
		hash, err := shared.HashPassword(*sent.Payload)
		if err != nil {
			c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		answerPayload(c, hash)
	})
	router.GET("/test/status", func(c *gin.Context) { c.String(http.StatusOK, "OK") })
	router.GET("/test/labels/:label", func(c *gin.Context) { c.String(http.StatusOK, "%s", c.Param("label")) })
	router.POST("/test", func(c *gin.Context) {
		var sent message
		if bindJSON(c, &sent) {
			c.JSON(http.StatusOK, handled{*sent.Message, processing.Handle()})
		}
	})
}

func answerPayload(c *gin.Context, text string) {
	c.JSON(http.StatusOK, payload{&text})
}
