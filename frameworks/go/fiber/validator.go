package main

import (
	"github.com/go-playground/validator/v10"
	"github.com/gofiber/fiber/v3"
)

// structValidator is what Fiber's Bind calls with each struct that it has read.
type structValidator struct {
	validate *validator.Validate
}

// Validate returns an error with status 400. WithAutoHandling gives that status only to what cannot be read.
func (v *structValidator) Validate(value any) error {
	if err := v.validate.Struct(value); err != nil {
		return fiber.NewError(fiber.StatusBadRequest, err.Error())
	}
	return nil
}
