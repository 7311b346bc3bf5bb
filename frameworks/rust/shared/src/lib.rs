//! The code that all entries share. It is not measured, and does not depend on a framework.

mod copies;
mod settings;
mod solr;
mod source;

pub mod models;
pub mod registry;
pub mod rows;
pub mod work;

pub use copies::Lent;
pub use settings::{port, workers};
pub use solr::{Solr, SolrUnavailable};
pub use source::Source;
