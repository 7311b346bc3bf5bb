package main

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

// taskIn is shared.TaskIn with the rules in the tag that Gin reads.
type taskIn struct {
	Summary     *string   `json:"summary" binding:"required"`
	Description *string   `json:"description" binding:"required"`
	IssueType   *string   `json:"issue_type" binding:"required"`
	Priority    *string   `json:"priority" binding:"required"`
	Labels      []*string `json:"labels" binding:"required,dive,required"`
	Components  []*string `json:"components" binding:"required,dive,required"`
}

func addIssueTrackerTyped(router *gin.Engine, source *shared.Source) {
	api := router.Group("/api/v1")
	api.GET("/userinfo/typed/:id", func(c *gin.Context) {
		var path idPath
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		user := source.TypedUser()
		user.Sub = fmt.Sprintf("%s-%d", user.Sub, path.ID)
		c.JSON(http.StatusOK, user)
	})
	api.GET("/sprint/typed/:id", func(c *gin.Context) {
		var path idPath
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		board := source.TypedSprint()
		board.Sprint.ID = path.ID
		c.JSON(http.StatusOK, board)
	})
	api.POST("/board/typed/:id/task", func(c *gin.Context) {
		var path idPath
		var sent taskIn
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		if err := c.ShouldBindJSON(&sent); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		task := source.TypedTask()
		task.Board, task.TaskIn = path.ID, shared.TaskIn(sent)
		c.JSON(http.StatusCreated, task)
	})
	api.PUT("/board/typed/:id/task", func(c *gin.Context) {
		var path idPath
		var sent taskIn
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		if err := c.ShouldBindJSON(&sent); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		source.SaveTask(sent)
		c.Status(http.StatusNoContent)
	})
}
