package shared

// Child is part of a document. Fields that Solr leaves out are left out of the answer too.
type Child struct {
	ID     string  `json:"id"`
	Name   *string `json:"name,omitempty"`
	Number *int32  `json:"number,omitempty"`
}

type Document struct {
	ID           string    `json:"id"`
	DocumentType int32     `json:"document_type"`
	StringArray  *[]string `json:"string_array,omitempty"`
	IntArray     *[]int32  `json:"int_array,omitempty"`
	ChildObjects *[]Child  `json:"child_objects,omitempty"`
}

// Anonymize replaces the numbers of the document's children that are below 100 by 0.
func (d *Document) Anonymize() {
	if d.ChildObjects == nil {
		return
	}
	for i := range *d.ChildObjects {
		if child := &(*d.ChildObjects)[i]; child.Number != nil && *child.Number < 100 {
			*child.Number = 0
		}
	}
}
