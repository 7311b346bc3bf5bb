package main

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"restbench/shared"
)

func addRegistry(e *echo.Echo, solr *shared.Solr) {
	e.GET("/json_serialization/typed", func(c *echo.Context) error {
		var given []int32
		if err := echo.QueryParamsBinder(c).MustInt32s("document_type", &given).BindError(); err != nil {
			return err
		}
		if len(given) != 1 {
			return echo.NewHTTPError(http.StatusBadRequest, "one document_type is asked for")
		}
		documents, err := solr.Select(given[0])
		if err != nil {
			return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
		}
		return c.JSON(http.StatusOK, documents)
	})
	e.GET("/anonymization/typed", func(c *echo.Context) error {
		documents, err := solr.Select(1)
		if err != nil {
			return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
		}
		for i := range documents {
			documents[i].Anonymize()
		}
		return c.JSON(http.StatusOK, documents)
	})
}
