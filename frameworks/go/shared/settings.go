// Package shared has everything that entries in Go need in addition to a framework: the emulated data source, the issue
// tracker's types, the Solr client, and the business logic of the suite workload.
package shared

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

// ListenAddress returns the address that an app listens on.
func ListenAddress() string {
	return "0.0.0.0:" + text("PORT", "8080")
}

// UseWorkers lets as many threads run Go code at the same time as there are workers.
func UseWorkers() {
	runtime.GOMAXPROCS(int(number("WORKERS", 1)))
}

func text(name, usual string) string {
	return cmp.Or(os.Getenv(name), usual)
}

// number reads a variable. It panics if the variable is not a number, so that a wrongly configured app does not start.
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
