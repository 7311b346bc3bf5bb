module restbench/shared

go 1.24.0

require golang.org/x/crypto v0.45.0
