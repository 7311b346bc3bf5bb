// Package shared has what every entry in Go needs beside its framework: the emulated data source, the issue tracker's
// types, Solr, and the business logic of the suite workload.
package shared

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

// ListenAddress is where an app listens.
func ListenAddress() string {
	return "0.0.0.0:" + text("PORT", "8080")
}

// UseWorkers lets as many threads run Go code as there are workers.
func UseWorkers() {
	runtime.GOMAXPROCS(int(number("WORKERS", 1)))
}

func text(name, usual string) string {
	return cmp.Or(os.Getenv(name), usual)
}

// number reads a variable. An app that is started wrongly does not start.
func number(name string, usual float64) float64 {
	value := os.Getenv(name)
	if value == "" {
		return usual
	}
	parsed, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(fmt.Sprintf("%s=%s is no number", name, value))
	}
	return parsed
}

func milliseconds(name string, usual float64) time.Duration {
	return time.Duration(number(name, usual) * float64(time.Millisecond))
}
