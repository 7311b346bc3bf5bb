//! What the entries have in common: none of it is measured, and none of it knows a framework.

mod settings;
mod solr;
mod source;

pub mod models;
pub mod registry;
pub mod rows;
pub mod work;

pub use settings::{port, workers};
pub use solr::{Solr, SolrUnavailable};
pub use source::Source;
