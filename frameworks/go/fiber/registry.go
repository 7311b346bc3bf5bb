package main

import (
	"github.com/gofiber/fiber/v3"

	"restbench/shared"
)

type filter struct {
	DocumentType int32 `query:"document_type,required"`
}

func addRegistry(app *fiber.App, solr *shared.Solr) {
	app.Get("/json_serialization/typed", func(c fiber.Ctx) error {
		var query filter
		if err := c.Bind().WithAutoHandling().Query(&query); err != nil {
			return err
		}
		// Fiber takes the last of several values.
		if len(c.RequestCtx().QueryArgs().PeekMulti("document_type")) != 1 {
			return fiber.NewError(fiber.StatusBadRequest, "one document_type is asked for")
		}
		documents, err := solr.Select(query.DocumentType)
		if err != nil {
			return fiber.NewError(fiber.StatusServiceUnavailable, err.Error())
		}
		return c.JSON(documents)
	})
	app.Get("/anonymization/typed", func(c fiber.Ctx) error {
		documents, err := solr.Select(1)
		if err != nil {
			return fiber.NewError(fiber.StatusServiceUnavailable, err.Error())
		}
		for i := range documents {
			documents[i].Anonymize()
		}
		return c.JSON(documents)
	})
}
