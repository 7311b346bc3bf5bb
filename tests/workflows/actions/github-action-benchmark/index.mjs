// Sources: src/extract.ts and src/write.ts of benchmark-action/github-action-benchmark v1.22.0. The release has them as
// dist/src/extract.js and dist/src/write.js.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPoint, alerts, readHistory, writeHistory } from './history.mjs'
import { readInputs } from './inputs.mjs'

const AUTHOR = ['-c', 'user.name=github-action-benchmark', '-c', 'user.email=github@users.noreply.github.com']
const git = (...words) => execFileSync('git', [...AUTHOR, ...words], { encoding: 'utf8' }).trim()

/** The figures of the output file, and nothing else of it (extractCustomBenchmarkResult, BenchmarkResult). */
function readFigures(file) {
  const benches = JSON.parse(readFileSync(file, 'utf8')).map(({ name, value, range, unit, extra }) => ({
    name: String(name),
    value: Number(value),
    range,
    unit: String(unit),
    extra,
  }))
  if (benches.some(({ value }) => Number.isNaN(value))) throw new Error(`a value in ${file} is no number`)
  // extractResult: a file without figures is an error
  if (benches.length === 0) throw new Error(`No benchmark result was found in ${file}.`)
  return benches
}

/** The commit that a point is of (getCommit, which asks in this order). */
function commitOf(event, { token, ref }) {
  // 1. The newest of a push. Events of other kinds have no head_commit.
  if (event.head_commit) return event.head_commit
  // 2. The newest of a pull request (getCommitFromPullRequestPayload).
  const pr = event.pull_request
  if (pr) {
    const user = { name: pr.head.user.login, username: pr.head.user.login }
    const { sha: id, repo } = pr.head
    const url = `${pr.html_url}/commits/${id}`
    return { author: user, committer: user, id, message: pr.title, timestamp: repo.updated_at, url }
  }
  // 3. What the API says about `ref`, or else about the branch that the event is about, whatever is its newest commit
  // now (getCommitFromGitHubAPIRequest: `ref ?? github.context.ref`). Without a token it cannot be asked.
  if (!token) throw new Error("No commit information is found in payload. Also, no 'github-token' provided")
  // Here the remote answers for the API.
  git('fetch', '--quiet', 'origin', ref || process.env.GITHUB_REF)
  const said = git('show', '--no-patch', '--format=%H%x00%aI%x00%an%x00%ae%x00%cn%x00%ce%x00%B', 'FETCH_HEAD')
  const [id, timestamp, author, authorEmail, committer, committerEmail, message] = said.split('\0')
  return {
    author: { name: author, email: authorEmail },
    committer: { name: committer, email: committerEmail },
    id,
    message,
    timestamp,
    url: `${event.repository.html_url}/commit/${id}`,
  }
}

/** Commits a new point to the local branch. Returns the point before it (writeBenchmarkToGitHubPages). */
function commitPoint(point, repository, { name, tool, branch, folder, most }) {
  git('switch', branch)
  try {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'data.js')
    const history = readHistory(path)
    history.lastUpdate = Date.now()
    history.repoUrl = repository.html_url
    const previous = addPoint(history, name, point, most)
    writeHistory(path, history)
    git('add', path)
    // A page that is there is kept (addIndexHtmlIfNeeded). The action's page draws charts.
    const page = join(folder, 'index.html')
    if (!existsSync(page)) {
      writeFileSync(page, '<!doctype html>\n<title>Benchmarks</title>\n<script src="data.js"></script>\n')
      git('add', page)
    }
    // Nothing is pushed: action.yml, `auto-push`, is false by default.
    git('commit', '-m', `add ${name} (${tool}) benchmark result for ${point.commit.id}`)
    return previous
  } finally {
    git('checkout', '-') // "`git switch` does not work for backing to detached head"
  }
}

try {
  const inputs = readInputs()
  const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'))
  const benches = readFigures(inputs.file)
  const point = { commit: commitOf(event, inputs), date: Date.now(), tool: inputs.tool, benches }
  const previous = commitPoint(point, event.repository, inputs)
  // Nothing is compared with the threshold unless a comment or a failure is asked for (handleAlert). The failure comes
  // after the commit.
  const found = previous && inputs.failOnAlert ? alerts(previous, point, inputs.threshold) : []
  if (found.length) throw new Error(`Performance Alert: ${found.map(({ name }) => name).join(', ')}`)
} catch (error) {
  console.log(`::error::${error.message}`)
  process.exitCode = 1
}
