package main

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"
)

// bindJSON parses and validates the whole body, where Gin's own binding passes over what stands behind the first value.
// What is wrong is answered with 400.
func bindJSON(c *gin.Context, body any) bool {
	content, err := c.GetRawData()
	if err == nil {
		err = json.Unmarshal(content, body)
	}
	if err == nil {
		err = binding.Validator.ValidateStruct(body)
	}
	if err != nil {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return false
	}
	return true
}

// bindURI parses and validates the parameters of the path. What is wrong is answered with 400.
func bindURI(c *gin.Context, parameters any) bool {
	if err := c.ShouldBindUri(parameters); err != nil {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return false
	}
	return true
}
