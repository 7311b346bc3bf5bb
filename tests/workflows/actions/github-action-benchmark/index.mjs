import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const input = name => process.env[`INPUT_${name.toUpperCase()}`] ?? ''
const git = (...words) =>
  execFileSync('git', ['-c', 'user.name=github-action-benchmark', '-c', 'user.email=github@users.noreply.github.com', ...words])

const PREFIX = 'window.BENCHMARK_DATA = '
const benches = JSON.parse(readFileSync(input('output-file-path')))
if (benches.length === 0) throw new Error('no benchmark result was found')
const { head_commit: commit, repository } = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH))

git('switch', input('gh-pages-branch'))
try {
  const folder = input('benchmark-data-dir-path')
  const path = join(folder, 'data.js')
  mkdirSync(folder, { recursive: true })
  const data = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8').slice(PREFIX.length))
    : { lastUpdate: 0, repoUrl: '', entries: {} }
  data.lastUpdate = Date.now()
  data.repoUrl = repository.html_url
  data.entries[input('name')] ??= []
  data.entries[input('name')].push({ commit, date: Date.now(), tool: input('tool'), benches })
  writeFileSync(path, PREFIX + JSON.stringify(data, null, 2))
  const page = join(folder, 'index.html')
  if (!existsSync(page)) writeFileSync(page, '<!doctype html>\n<title>Benchmarks</title>\n<script src="data.js"></script>\n')
  git('add', path, page)
  git('commit', '-m', `add ${input('name')} (${input('tool')}) benchmark result for ${commit.id}`)
} finally {
  git('checkout', '-')
}
