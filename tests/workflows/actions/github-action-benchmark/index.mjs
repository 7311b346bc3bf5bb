// Sources: src/config.ts, src/extract.ts, src/write.ts and src/addBenchmarkEntry.ts of
// benchmark-action/github-action-benchmark v1.22.0. The release has them in dist/src/.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PREFIX = 'window.BENCHMARK_DATA = '
const AUTHOR = ['-c', 'user.name=github-action-benchmark', '-c', 'user.email=github@users.noreply.github.com']

const git = (...words) => execFileSync('git', [...AUTHOR, ...words], { encoding: 'utf8' }).trim()
const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** Throws an error where the inputs ask for what this stand-in cannot do. */
function checkInputs() {
  if (input('tool') !== 'customBiggerIsBetter') throw new Error('this stand-in knows the tool customBiggerIsBetter only')
  if (input('skip-fetch-gh-pages') !== 'true') throw new Error('this stand-in does not fetch gh-pages')
  // Nothing is compared with the threshold unless a comment or a failure is asked for (handleAlert).
  if (input('comment-on-alert') !== 'false') throw new Error('this stand-in posts no comments')
  if (input('fail-on-alert') !== 'false') throw new Error('this stand-in has no alerts')
}

/** The figures of the output file, and nothing else of it (extractCustomBenchmarkResult, BenchmarkResult). */
function readFigures(file) {
  const benches = JSON.parse(readFileSync(file, 'utf8')).map(({ name, value, range, unit, extra }) => ({
    name: String(name),
    value: Number(value),
    range,
    unit: String(unit),
    extra,
  }))
  // extractResult: a file without figures is an error
  if (benches.length === 0) throw new Error(`No benchmark result was found in ${file}.`)
  return benches
}

/**
 * The commit that a point is of, where the event names none (getCommit). The events of pushes and of pull requests do.
 *
 * It is what the API says about `ref`, or else about the branch that the event is about, whatever is its newest commit
 * now (getCommitFromGitHubAPIRequest: `ref ?? github.context.ref`). Without a token it cannot be asked.
 */
function commitOf(repository) {
  if (!input('github-token')) throw new Error("No commit information is found in payload. Also, no 'github-token' provided")
  // Here the remote answers for the API.
  git('fetch', '--quiet', 'origin', input('ref') || process.env.GITHUB_REF)
  const output = git('show', '--no-patch', '--format=%H%x00%aI%x00%an%x00%ae%x00%cn%x00%ce%x00%B', 'FETCH_HEAD')
  const [id, timestamp, author, authorEmail, committer, committerEmail, message] = output.split('\0')
  return {
    author: { name: author, email: authorEmail },
    committer: { name: committer, email: committerEmail },
    id,
    message,
    timestamp,
    url: `${repository.html_url}/commit/${id}`,
  }
}

/** The history. One that cannot be read is replaced by an empty one (loadDataJs). */
function readHistory(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8').slice(PREFIX.length))
  } catch (error) {
    console.log(`Could not find data.js at ${path}. Using empty default: ${error}`)
    return { lastUpdate: 0, repoUrl: '', entries: {} }
  }
}

/** Commits a new point of a suite to the local branch (writeBenchmarkToGitHubPages). */
function commitPoint(point, repository) {
  const [suite, folder, most] = [input('name'), input('benchmark-data-dir-path'), Number(input('max-items-in-chart'))]
  git('switch', input('gh-pages-branch'))
  try {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'data.js')
    const history = readHistory(path)
    history.lastUpdate = Date.now()
    history.repoUrl = repository.html_url
    const points = (history.entries[suite] ??= [])
    points.push(point)
    // The oldest are cut. action.yml, `max-items-in-chart`: "No limit by default"
    if (most && points.length > most) points.splice(0, points.length - most)
    writeFileSync(path, PREFIX + JSON.stringify(history, null, 2))
    git('add', path)
    // A page that is there is kept (addIndexHtmlIfNeeded). The action's page draws charts.
    const page = join(folder, 'index.html')
    if (!existsSync(page)) {
      writeFileSync(page, '<!doctype html>\n<title>Benchmarks</title>\n<script src="data.js"></script>\n')
      git('add', page)
    }
    // Nothing is pushed: action.yml, `auto-push`, is false by default.
    git('commit', '-m', `add ${suite} (${point.tool}) benchmark result for ${point.commit.id}`)
  } finally {
    git('checkout', '-') // "`git switch` does not work for backing to detached head"
  }
}

try {
  checkInputs()
  const { repository } = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'))
  const benches = readFigures(input('output-file-path'))
  commitPoint({ commit: commitOf(repository), date: Date.now(), tool: input('tool'), benches }, repository)
} catch (error) {
  console.log(`::error::${error.message}`)
  process.exitCode = 1
}
