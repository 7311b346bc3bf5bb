use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::copies::{Copies, Lent};
use crate::models::{Board, Task, User};
use crate::rows::{PlainRow, read, text};
use crate::settings::{milliseconds, setting};

/// The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
///
/// It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
/// not measured. An app has one source for all its threads.
pub struct Source {
    pool: Semaphore,
    latency: Duration,
    next_number: AtomicU64,
    users: &'static [Copies<User>],
    boards: &'static [Copies<Board>],
    tasks: &'static [Copies<Task>],
    plain_users: &'static [Copies<PlainRow>],
    plain_boards: &'static [Copies<PlainRow>],
    plain_tasks: &'static [Copies<PlainRow>],
}

const ISSUES: usize = 100;

impl Source {
    /// Reads the rows. No file is opened later.
    pub fn from_env() -> Result<Self, Box<dyn Error>> {
        let (users, plain_users) = read("users.json")?;
        let (boards, plain_boards) = read("sprints.json")?;
        let (tasks, plain_tasks) = read("tasks.json")?;
        Ok(Self {
            pool: Semaphore::new(setting("POOL_SIZE", 100)),
            latency: milliseconds("POOL_LATENCY_MS", 1.0),
            next_number: AtomicU64::new(1_000_000_000 + getrandom::u64()? % 8_000_000_000),
            users: Copies::leak(
                users,
                |user, _| &mut user.picture,
                |user, row| user.sub.clone_from(&row.sub),
            ),
            boards: Copies::leak(
                boards,
                |board, number| &mut board.issues[number % ISSUES].description_short,
                |board, row| board.sprint.id = row.sprint.id,
            ),
            tasks: Copies::leak(
                tasks,
                |task, _| &mut task.author.picture,
                |task, row| (task.board, task.sent) = (row.board, row.sent.clone()),
            ),
            plain_users: Copies::leak(
                plain_users,
                |user, _| text(&mut user["picture"]),
                |user, row| user["sub"] = row["sub"].clone(),
            ),
            plain_boards: Copies::leak(
                plain_boards,
                |board, number| text(&mut board["issues"][number % ISSUES]["description_short"]),
                |board, row| board["sprint"] = row["sprint"].clone(),
            ),
            plain_tasks: Copies::leak(
                plain_tasks,
                |task, _| text(&mut task["author"]["picture"]),
                |task, row| task.retain(|name, _| row.contains_key(name)),
            ),
        })
    }

    pub async fn typed_user(&self) -> Lent<User> {
        self.lend(self.users).await
    }

    /// The sprint and its issues.
    pub async fn typed_sprint(&self) -> Lent<Board> {
        self.lend(self.boards).await
    }

    /// The fields of a new task that the tracker sets: its number, author, status, …
    pub async fn typed_task(&self) -> Lent<Task> {
        self.lend(self.tasks).await
    }

    pub async fn plain_user(&self) -> Lent<PlainRow> {
        self.lend(self.plain_users).await
    }

    pub async fn plain_sprint(&self) -> Lent<PlainRow> {
        self.lend(self.plain_boards).await
    }

    pub async fn plain_task(&self) -> Lent<PlainRow> {
        self.lend(self.plain_tasks).await
    }

    /// Takes as long as a write would, and keeps nothing.
    pub async fn save_task<T>(&self, _task: T) {
        self.fetch().await;
    }

    async fn lend<T: Clone + Default>(&self, rows: &'static [Copies<T>]) -> Lent<T> {
        let number = self.fetch().await;
        rows[number % rows.len()].lend(number)
    }

    /// Holds a connection for a while, and returns the number of the fetch.
    async fn fetch(&self) -> usize {
        let _connection = self.pool.acquire().await.expect("nobody closes the pool");
        sleep(self.latency).await;
        self.next_number.fetch_add(1, Ordering::Relaxed) as usize
    }
}
