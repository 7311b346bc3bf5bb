package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
)

const (
	// An app has 2 s to say that Solr does not answer. This is shorter.
	solrTimeout = 1500 * time.Millisecond
	// More than the number of requests at the same time, so that all connections are kept and used again.
	solrConnections = 100
	fields          = "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]"
)

// ErrSolr says that Solr, or the cache in front of it, cannot be reached, takes too long, answers with an error, or has
// documents that do not fit the types.
var ErrSolr = errors.New("Solr does not answer")

var validate = validator.New(validator.WithRequiredStructEnabled())

// Solr is a client of Solr with a pool of connections that are kept alive.
type Solr struct {
	client    http.Client
	selectURL string
}

func NewSolr() *Solr {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = solrConnections, solrConnections
	return &Solr{
		client:    http.Client{Timeout: solrTimeout, Transport: transport},
		selectURL: text("SOLR_URL", "http://localhost:8983/solr/performance") + "/select?",
	}
}

// Select returns the documents of a type, with their children nested. An error is ErrSolr.
func (s *Solr) Select(documentType int32) ([]Document, error) {
	// a bare minus sign is an operator of Solr's query language
	number := strings.Replace(strconv.Itoa(int(documentType)), "-", `\-`, 1)
	query := url.Values{"fl": {fields}, "q": {"*:*"}, "rows": {"100"}, "fq": {"document_type:" + number}}
	answer, err := s.client.Get(s.selectURL + query.Encode())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSolr, err)
	}
	defer answer.Body.Close()
	// read to the end, because only then the connection is used again
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSolr, err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s", ErrSolr, answer.Status)
	}
	var found struct {
		Response struct {
			Docs []Document `json:"docs" validate:"required,dive"`
		} `json:"response"`
	}
	if err := json.Unmarshal(body, &found); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSolr, err)
	}
	// json.Unmarshal takes a missing id for an empty text
	if err := validate.Struct(found); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSolr, err)
	}
	return found.Response.Docs, nil
}
