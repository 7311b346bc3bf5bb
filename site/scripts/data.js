// @ts-check
// Reads the data files of the site. A file that is missing or damaged is an error with a sentence for the reader.

/** @typedef {{entry: string, variant: string | null, json_library: string | null, not_compared: string | null, percent_of_best: number | null, percent_of_best_low: number | null, percent_of_best_high: number | null, throughput: number | null, p50_ms: number | null, memory_bytes: number | null, bottleneck: string, cpu_us_rounds: number[] | null}} Row */
/** @typedef {{suite: string, scenario: string, title: string, rows: Row[], certain: string[], scales: (number | null)[]}} Table */
/** @typedef {{suites: Record<string, string>, tables: Table[]}} Setting */
/** @typedef {[string, string, string, number[], string[]]} Framework id, title, language, years of its runs, facts */
/** @typedef {{cells: Record<string, string>, facts: string[], frameworks: Framework[], runs: string[], settings: Setting[], start: string[]} & Setting} Board has the tables of the first setting too */
/** @typedef {{runs: [string, string | null][], cells: Record<string, (number[] | null)[]>}} Year */

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

/** A row has its fields by name. @param {string} root @returns {Promise<Board>} */
export async function readBoard(root) {
  const board = await read(`${root}data/v5/board.json`)
  const fields = Object.keys(board.fields)
  for (const table of board.settings.flatMap((/** @type {Setting} */ { tables }) => tables)) {
    table.rows = table.rows.map((/** @type {unknown[]} */ row) => Object.fromEntries(fields.map((name, place) => [name, row[place]])))
  }
  return { suites: {}, tables: [], ...board.settings[0], ...board }
}

/** The runs of a framework in a year. @param {string} root @param {string} framework @param {number} year @returns {Promise<Year>} */
export function readYear(root, framework, year) {
  return read(`${root}data/v5/series/${framework}/${year}.json`)
}
