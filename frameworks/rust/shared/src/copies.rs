//! A row that many fetches share: each has a copy of it, with its number in it.

use std::mem;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard};

use serde_json::Value;

use crate::rows::Row;

/// A row that was fetched. It can be lent again when it is dropped.
pub struct Fetched {
    row: Row,
    index: usize,
    copies: &'static Copies,
}

impl Deref for Fetched {
    type Target = Row;

    fn deref(&self) -> &Row {
        &self.row
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        let row = mem::take(&mut self.row);
        self.copies.take_back(row, self.index);
    }
}

/// Lends out copies of a row. To copy a whole row for each fetch would cost too much: as many copies are made as are in
/// use at the same time.
pub(crate) struct Copies {
    row: Row,
    texts: Vec<String>,
    find: Find,
    free: Mutex<Vec<Row>>,
}

/// Returns the text with that index, of the texts of a row that the number of a fetch may end.
type Find = fn(&mut Row, usize) -> &mut Value;

impl Copies {
    /// `find` finds `count` texts.
    pub fn new(mut row: Row, count: usize, find: Find) -> Self {
        let text = |index| find(&mut row, index).as_str().map(str::to_owned);
        let texts = (0..count).map(text).collect::<Option<_>>();
        Self {
            texts: texts.expect("the fixtures have these texts"),
            row,
            find,
            free: Mutex::default(),
        }
    }

    pub fn lend(&'static self, number: u64) -> Fetched {
        let free = self.free().pop();
        let mut row = free.unwrap_or_else(|| self.row.clone());
        let index = number as usize % self.texts.len();
        let text = &self.texts[index];
        let digits = number.to_string();
        let start = &text[..text.len() - digits.len()];
        *(self.find)(&mut row, index) = Value::from(format!("{start}{digits}"));
        Fetched {
            row,
            index,
            copies: self,
        }
    }

    fn take_back(&self, mut row: Row, index: usize) {
        *(self.find)(&mut row, index) = Value::from(self.texts[index].as_str());
        self.free().push(row);
    }

    fn free(&self) -> MutexGuard<'_, Vec<Row>> {
        self.free.lock().expect("nothing panics that holds it")
    }
}
