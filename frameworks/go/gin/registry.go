package main

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"restbench/shared"
)

type filter struct {
	DocumentType *int32 `form:"document_type" binding:"required"`
}

func addRegistry(router *gin.Engine, solr *shared.Solr) {
	router.GET("/json_serialization/typed", func(c *gin.Context) {
		var query filter
		if err := c.ShouldBindQuery(&query); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		// Gin takes an empty text for 0, and of several values the first.
		if given := c.QueryArray("document_type"); len(given) != 1 || given[0] == "" {
			c.JSON(http.StatusBadRequest, gin.H{"error": "one document_type is asked for"})
			return
		}
		documents, err := solr.Select(*query.DocumentType)
		if err != nil {
			c.JSON(http.StatusServiceUnavailable, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, documents)
	})
	router.GET("/anonymization/typed", func(c *gin.Context) {
		documents, err := solr.Select(1)
		if err != nil {
			c.JSON(http.StatusServiceUnavailable, gin.H{"error": err.Error()})
			return
		}
		for i := range documents {
			documents[i].Anonymize()
		}
		c.JSON(http.StatusOK, documents)
	})
}
