// data.js, the history of all suites. Sources: src/write.ts and src/addBenchmarkEntry.ts of
// benchmark-action/github-action-benchmark v1.22.0. The release has them in dist/src/.
import { readFileSync, writeFileSync } from 'node:fs'

const PREFIX = 'window.BENCHMARK_DATA = '

/** The history. One that cannot be read is replaced by an empty one (loadDataJs). */
export function readHistory(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8').slice(PREFIX.length))
  } catch (error) {
    console.log(`Could not find data.js at ${path}. Using empty default: ${error}`)
    return { lastUpdate: 0, repoUrl: '', entries: {} }
  }
}

export function writeHistory(path, history) {
  writeFileSync(path, PREFIX + JSON.stringify(history, null, 2))
}

/**
 * Adds a point to a suite. Returns the newest earlier point of another commit, or undefined (addBenchmarkEntry).
 *
 * Of more than `most` points the oldest are cut. The action then also converts figures between units of time and of
 * memory, which this does not do.
 */
export function addPoint(history, suite, point, most) {
  const points = (history.entries[suite] ??= [])
  const previous = points.findLast(({ commit }) => commit.id !== point.commit.id)
  points.push(point)
  if (points.length > most) points.splice(0, points.length - most)
  return previous
}

/** The figures that are worse than those of the previous point by more than that ratio (findAlerts, getRatio). */
export function alerts(previous, point, threshold) {
  return point.benches.filter(now => {
    const before = previous.benches.find(({ name }) => name === now.name)
    if (!before || (before.value === 0 && now.value === 0)) return false
    const isBiggerBetter = point.tool === 'customBiggerIsBetter'
    return (isBiggerBetter ? before.value / now.value : now.value / before.value) > threshold
  })
}
