module restbench/nethttp

go 1.24.0

toolchain go1.26.8

require restbench/shared v0.0.0

require golang.org/x/crypto v0.45.0 // indirect

replace restbench/shared => ../shared
