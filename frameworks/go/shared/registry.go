package shared

// Child is part of a document. Fields that Solr leaves out are left out of the answer too.
type Child struct {
	ID     string  `json:"id" validate:"required"`
	Name   *string `json:"name,omitempty"`
	Number *int32  `json:"number,omitempty"`
}

type Document struct {
	ID           string   `json:"id" validate:"required"`
	DocumentType *int32   `json:"document_type" validate:"required"`
	StringArray  []string `json:"string_array,omitzero"`
	IntArray     []int32  `json:"int_array,omitzero"`
	ChildObjects []Child  `json:"child_objects,omitzero" validate:"dive"`
}

// Anonymize replaces the numbers of the document's children that are below 100 by 0.
func (d *Document) Anonymize() {
	for _, child := range d.ChildObjects {
		if child.Number != nil && *child.Number < 100 {
			*child.Number = 0
		}
	}
}
