// @ts-check
// Reads the data files of the site. A file that is missing or damaged is an error with a sentence for the reader.

/** @typedef {[number, string | null, string | null, number | null, number | null, number | null, number | null, number | null, number | null, string, string | null]} Row */
/** @typedef {{suite: string, name: string, title: string, rows: Row[], certain: string[], scales: number[]}} Table */
/** @typedef {[string, string, string, number[], string[]]} Framework id, title, language, years of its runs, facts */
/** @typedef {{cells: Record<string, string>, facts: string[], frameworks: Framework[], runs: string[], start: string[], suites: Record<string, string>, tables: Table[]}} Board */
/** @typedef {{runs: [string, string | null][], cells: Record<string, (number[] | null)[]>}} Year */

export const FRAMEWORK = 0
export const VARIANT = 1
export const LIBRARY = 2 // what reads and writes its JSON
export const SHARE = 3
export const LOW = 4 // the bounds of the share
export const HIGH = 5
export const RATE = 6
export const LATENCY = 7
export const MEMORY = 8
export const BOTTLENECK = 9
export const WHY = 10 // why it is not compared

/** @param {string} address @returns {Promise<any>} */
async function read(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} cannot be read (${answer.status}).`)
  try {
    return await answer.json()
  } catch {
    throw new Error(`${address} is not whole.`)
  }
}

/** @param {string} root @returns {Promise<Board>} */
export function readBoard(root) {
  return read(`${root}data/v4/board.json`)
}

/** The runs of a framework in a year. @param {string} root @param {string} framework @param {number} year @returns {Promise<Year>} */
export function readYear(root, framework, year) {
  return read(`${root}data/v4/series/${framework}/${year}.json`)
}
