use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::settings::setting;

/// An app has 2 s to say that Solr does not answer. This is shorter.
const TIMEOUT: Duration = Duration::from_millis(1500);

/// More than the number of requests at the same time, so that all connections are kept and used again.
const CONNECTIONS: usize = 100;

/// Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error.
#[derive(Debug, thiserror::Error)]
#[error("Solr does not answer")]
pub struct SolrUnavailable(#[from] reqwest::Error);

/// A client of Solr with a pool of connections that are kept alive.
pub struct Solr {
    client: Client,
    select_url: String,
}

impl Solr {
    pub fn from_env() -> reqwest::Result<Self> {
        let core = setting(
            "SOLR_URL",
            "http://localhost:8983/solr/performance".to_owned(),
        );
        Ok(Self {
            client: Client::builder()
                .timeout(TIMEOUT)
                .pool_max_idle_per_host(CONNECTIONS)
                .build()?,
            select_url: format!("{core}/select"),
        })
    }

    /// Returns the documents of a type, with their children nested.
    pub async fn select<T: DeserializeOwned>(
        &self,
        document_type: i32,
    ) -> Result<Vec<T>, SolrUnavailable> {
        // a bare minus sign is an operator of Solr's query language
        let document_type = document_type.to_string().replace('-', "\\-");
        let answer = self
            .client
            .get(&self.select_url)
            .query(&[
                (
                    "fl",
                    "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]",
                ),
                ("q", "*:*"),
                ("rows", "100"),
                ("fq", &format!("document_type:{document_type}")),
            ])
            .send()
            .await?
            .error_for_status()?;
        Ok(answer.json::<Answer<T>>().await?.response.docs)
    }
}

#[derive(Deserialize)]
struct Answer<T> {
    response: Found<T>,
}

#[derive(Deserialize)]
struct Found<T> {
    docs: Vec<T>,
}
