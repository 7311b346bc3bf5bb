package main

import (
	"errors"
	"io"

	"github.com/gin-gonic/gin/codec/json"
)

// wholeBodies is a JSON codec that refuses a body that goes on behind its value. Gin's own codec ignores the rest.
type wholeBodies struct{ json.Core }

func (codec wholeBodies) NewDecoder(body io.Reader) json.Decoder {
	return wholeBody{codec.Core.NewDecoder(body)}
}

type wholeBody struct{ json.Decoder }

func (body wholeBody) Decode(value any) error {
	if err := body.Decoder.Decode(value); err != nil {
		return err
	}
	if err := body.Decoder.Decode(new(any)); err != io.EOF {
		return errors.New("the body goes on behind its value")
	}
	return nil
}
