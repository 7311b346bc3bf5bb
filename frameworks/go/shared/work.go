package shared

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Timed is how long a request of the scenario timed waits.
const Timed = 20 * time.Millisecond

const bcryptCost = 10

func Greeting(payload string) string {
	return "Hello, " + payload
}

// Limits how many hashes are computed at the same time. Goroutines take turns of 10 ms. With one hash for each worker,
// another request waits only for a few turns.
var hashing = sync.OnceValue(func() chan struct{} {
	return make(chan struct{}, runtime.GOMAXPROCS(0))
})

// HashPassword takes about 50 ms of CPU time. At most as many hashes are computed at a time as there are workers.
func HashPassword(payload string) (string, error) {
	hashing() <- struct{}{}
	defer func() { <-hashing() }()
	hash, err := bcrypt.GenerateFromPassword([]byte(payload), bcryptCost)
	return string(hash), err
}

// Processing handles messages of the queue. Handling is waiting.
type Processing struct {
	duration time.Duration
	note     string
}

func NewProcessing() *Processing {
	duration := milliseconds("PROCESSING_MS", 0)
	note := fmt.Sprintf("handled for %g ms", float64(duration)/float64(time.Millisecond))
	return &Processing{duration, note}
}

// Handle waits as long as a message takes, and returns a note with that time.
func (p *Processing) Handle() string {
	if p.duration > 0 {
		time.Sleep(p.duration)
	}
	return p.note
}
