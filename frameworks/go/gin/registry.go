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
		if c.BindQuery(&query) != nil {
			return
		}
		// Gin takes an empty text for 0, and the first of several values
		if given := c.QueryArray("document_type"); len(given) != 1 || given[0] == "" {
			c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": "one document_type is asked for"})
			return
		}
		if documents, ok := selected(c, solr, *query.DocumentType); ok {
			c.JSON(http.StatusOK, documents)
		}
	})
	router.GET("/anonymization/typed", func(c *gin.Context) {
		if documents, ok := selected(c, solr, 1); ok {
			for i := range documents {
				documents[i].Anonymize()
			}
			c.JSON(http.StatusOK, documents)
		}
	})
}

// selected has the documents of a type. Where Solr does not answer, it answers with 503 and says false.
func selected(c *gin.Context, solr *shared.Solr, documentType int32) ([]shared.Document, bool) {
	documents, err := solr.Select(documentType)
	if err != nil {
		c.AbortWithStatusJSON(http.StatusServiceUnavailable, gin.H{"error": err.Error()})
		return nil, false
	}
	return documents, true
}
