package main

import (
	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v5"
)

// structValidator is what Echo's Context.Validate calls.
type structValidator struct {
	validate *validator.Validate
}

func (v *structValidator) Validate(value any) error {
	if err := v.validate.Struct(value); err != nil {
		return echo.ErrBadRequest.Wrap(err)
	}
	return nil
}

// bindValid reads the body into a struct, and validates that.
func bindValid(c *echo.Context, body any) error {
	if err := c.Bind(body); err != nil {
		return err
	}
	return c.Validate(body)
}
