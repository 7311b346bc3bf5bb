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
		if c.BindUri(&path) != nil {
			return
		}
		user := source.User()
		user["sub"] = fmt.Sprintf("%s-%d", user["sub"], path.ID)
		c.JSON(http.StatusOK, user)
	})
	api.GET("/sprint/raw/:id", func(c *gin.Context) {
		var path idPath
		if c.BindUri(&path) != nil {
			return
		}
		board := source.Sprint()
		board["sprint"].(shared.Row)["id"] = path.ID
		c.JSON(http.StatusOK, board)
	})
	api.POST("/board/raw/:id/task", func(c *gin.Context) {
		var path idPath
		if sent, ok := bindTask(c, &path); ok {
			task := source.Task()
			task["board"] = path.ID
			maps.Copy(task, sent)
			c.JSON(http.StatusCreated, task)
		}
	})
	api.PUT("/board/raw/:id/task", func(c *gin.Context) {
		var path idPath
		if sent, ok := bindTask(c, &path); ok {
			source.SaveTask(sent)
			c.Status(http.StatusNoContent)
		}
	})
}

// bindTask parses the path, and has the fields of the task that was sent. What is wrong is answered with 400.
func bindTask(c *gin.Context, path *idPath) (shared.Row, bool) {
	var body shared.Row
	if c.BindUri(path) != nil || c.BindJSON(&body) != nil {
		return nil, false
	}
	task, err := shared.TaskOf(body)
	if err != nil {
		c.AbortWithError(http.StatusBadRequest, err)
		return nil, false
	}
	return task, true
}
