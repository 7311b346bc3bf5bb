//! A row that many fetches share: each has a copy of it, with its number in it.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};

use serde::Serialize;

/// A row that is lent to a request. It is given back when it is dropped, and what was changed in it is then undone.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Lent<T: Default + 'static> {
    row: T,
    #[serde(skip)]
    number: usize,
    #[serde(skip)]
    replaced: String,
    #[serde(skip)]
    copies: &'static Copies<T>,
}

impl<T: Default> Deref for Lent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.row
    }
}

impl<T: Default> DerefMut for Lent<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.row
    }
}

impl<T: Default> Drop for Lent<T> {
    fn drop(&mut self) {
        let copies = self.copies;
        let mut row = mem::take(&mut self.row);
        replace_end((copies.text)(&mut row, self.number), &self.replaced);
        (copies.restore)(&mut row, &copies.row);
        copies.free().push(row);
    }
}

/// Lends copies of a row. To copy a whole row for each fetch would cost too much: as many copies are made as are in use
/// at the same time.
pub(crate) struct Copies<T> {
    row: T,
    free: Mutex<Vec<T>>,
    text: fn(&mut T, usize) -> &mut String,
    restore: fn(&mut T, &T),
}

impl<T> Copies<T> {
    /// Returns the copies of each row, which are never freed, so that answers can give them back.
    ///
    /// `text` finds the text of a row that a number ends. `restore` takes from the row what entries set in a copy.
    pub fn leak(
        rows: Vec<T>,
        text: fn(&mut T, usize) -> &mut String,
        restore: fn(&mut T, &T),
    ) -> &'static [Self] {
        let copies = rows.into_iter().map(|row| Self {
            row,
            free: Mutex::default(),
            text,
            restore,
        });
        copies.collect::<Vec<_>>().leak()
    }

    fn free(&self) -> MutexGuard<'_, Vec<T>> {
        self.free.lock().expect("nothing panics that holds it")
    }
}

impl<T: Clone + Default> Copies<T> {
    pub fn lend(&'static self, number: usize) -> Lent<T> {
        let free = self.free().pop();
        let mut row = free.unwrap_or_else(|| self.row.clone());
        let replaced = replace_end((self.text)(&mut row, number), &number.to_string());
        Lent {
            row,
            number,
            replaced,
            copies: self,
        }
    }
}

/// Puts an end in the place of one that is as long, and returns that one.
fn replace_end(text: &mut String, end: &str) -> String {
    let replaced = text.split_off(text.len() - end.len());
    text.push_str(end);
    replaced
}
