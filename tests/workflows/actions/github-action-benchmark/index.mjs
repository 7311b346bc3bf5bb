import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const input = name => process.env[`INPUT_${name.toUpperCase()}`] ?? ''
const git = (...words) =>
  execFileSync('git', ['-c', 'user.name=github-action-benchmark', '-c', 'user.email=github@users.noreply.github.com', ...words], {
    encoding: 'utf8',
  }).trim()

const PREFIX = 'window.BENCHMARK_DATA = '
const payload = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH))

/**
 * The commit that a point is of: the pushed one, else the pull request's, else what the API says about `ref`, which is
 * the branch of the event by default (src/extract.ts of v1.22.0, getCommit). Git's remote answers here for the API.
 */
function commitOfPoint() {
  if (payload.head_commit) return payload.head_commit
  if (payload.pull_request) throw new Error('this stand-in knows no pull requests')
  const ref = input('ref') || process.env.GITHUB_REF
  const id = ref.startsWith('refs/') ? git('ls-remote', 'origin', ref).split('\t')[0] : git('rev-parse', `${ref}^{commit}`)
  git('fetch', '--quiet', 'origin', id)
  const [message, timestamp] = git('show', '--no-patch', '--format=%s%x00%aI', id).split('\0')
  return { id, message, timestamp, url: `${payload.repository.html_url}/commit/${id}` }
}

/** The history. One that cannot be read is replaced by an empty one (src/write.ts, loadDataJs). */
function history(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8').slice(PREFIX.length))
  } catch (error) {
    console.log(`Could not find data.js at ${path}. Using empty default: ${error}`)
    return { lastUpdate: 0, repoUrl: '', entries: {} }
  }
}

const benches = JSON.parse(readFileSync(input('output-file-path')))
if (benches.length === 0) throw new Error('no benchmark result was found')
const commit = commitOfPoint()

git('switch', input('gh-pages-branch'))
try {
  const folder = input('benchmark-data-dir-path')
  const path = join(folder, 'data.js')
  mkdirSync(folder, { recursive: true })
  const data = history(path)
  data.lastUpdate = Date.now()
  data.repoUrl = payload.repository.html_url
  const points = (data.entries[input('name')] ??= [])
  points.push({ commit, date: Date.now(), tool: input('tool'), benches })
  // src/addBenchmarkEntry.ts: the oldest points go first
  const most = Number(input('max-items-in-chart') || Infinity)
  if (points.length > most) points.splice(0, points.length - most)
  writeFileSync(path, PREFIX + JSON.stringify(data, null, 2))
  const page = join(folder, 'index.html')
  if (!existsSync(page)) writeFileSync(page, '<!doctype html>\n<title>Benchmarks</title>\n<script src="data.js"></script>\n')
  git('add', path, page)
  git('commit', '-m', `add ${input('name')} (${input('tool')}) benchmark result for ${commit.id}`)
} finally {
  git('checkout', '-')
}
