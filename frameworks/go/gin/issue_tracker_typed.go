package main

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

func addIssueTrackerTyped(router *gin.Engine, source *shared.Source) {
	api := router.Group("/api/v1")
	api.GET("/userinfo/typed/:id", func(c *gin.Context) {
		var path idPath
		if bindURI(c, &path) {
			c.JSON(http.StatusOK, shared.NewUser(source.User(), path.ID))
		}
	})
	api.GET("/sprint/typed/:id", func(c *gin.Context) {
		var path idPath
		if bindURI(c, &path) {
			board, err := shared.NewBoard(source.Sprint(), path.ID)
			answerMade(c, http.StatusOK, board, err)
		}
	})
	api.POST("/board/typed/:id/task", func(c *gin.Context) {
		var path idPath
		var sent shared.TaskIn
		if bindURI(c, &path) && bindJSON(c, &sent) {
			task, err := shared.NewTask(source.Task(), path.ID, sent)
			answerMade(c, http.StatusCreated, task, err)
		}
	})
	api.PUT("/board/typed/:id/task", func(c *gin.Context) {
		var path idPath
		var sent shared.TaskIn
		if bindURI(c, &path) && bindJSON(c, &sent) {
			source.SaveTask(sent)
			c.Status(http.StatusNoContent)
		}
	})
}

// answerMade answers with what was made of a row, or with 500 where the row is none that it can be made of.
func answerMade(c *gin.Context, status int, value any, err error) {
	if err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(status, value)
}
