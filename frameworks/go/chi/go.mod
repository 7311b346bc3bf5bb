module restbench/chi

go 1.26.0

toolchain go1.26.8

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/go-chi/render v1.0.3
	restbench/shared v0.0.0
)

require (
	github.com/ajg/form v1.5.1 // indirect
	github.com/gabriel-vasile/mimetype v1.4.12 // indirect
	github.com/go-playground/locales v0.14.1 // indirect
	github.com/go-playground/universal-translator v0.18.1 // indirect
	github.com/go-playground/validator/v10 v10.30.1 // indirect
	github.com/leodido/go-urn v1.4.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace restbench/shared => ../shared
