package main

import (
	"fmt"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

type idPath struct {
	ID uint32 `uri:"id"`
}

func addIssueTrackerRaw(router *gin.Engine, source *shared.Source) {
	api := router.Group("/api/v1")
	api.GET("/userinfo/raw/:id", func(c *gin.Context) {
		var path idPath
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		user := source.User()
		user["sub"] = fmt.Sprintf("%s-%d", user["sub"], path.ID)
		c.JSON(http.StatusOK, user)
	})
	api.GET("/sprint/raw/:id", func(c *gin.Context) {
		var path idPath
		if err := c.ShouldBindUri(&path); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		board := source.Sprint()
		board["sprint"].(shared.Row)["id"] = path.ID
		c.JSON(http.StatusOK, board)
	})
	api.POST("/board/raw/:id/task", func(c *gin.Context) {
		var path idPath
		sent, err := bindTask(c, &path)
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		task := source.Task()
		task["board"] = path.ID
		maps.Copy(task, sent)
		c.JSON(http.StatusCreated, task)
	})
	api.PUT("/board/raw/:id/task", func(c *gin.Context) {
		var path idPath
		sent, err := bindTask(c, &path)
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		source.SaveTask(sent)
		c.Status(http.StatusNoContent)
	})
}

// bindTask binds the path, and returns the fields of the task that was sent.
func bindTask(c *gin.Context, path *idPath) (shared.Row, error) {
	if err := c.ShouldBindUri(path); err != nil {
		return nil, err
	}
	var body shared.Row
	if err := c.ShouldBindJSON(&body); err != nil {
		return nil, err
	}
	return shared.TaskOf(body)
}
