// @ts-check
// What two runs found of the chosen frameworks, beside each other.

import { readYear } from './data.js'
import { header, line, scrolling } from './elements.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {{version: string | null, cells: Map<string, number>} | null} Found what a run found of a framework: its version, and the relative cost of each cell */

const RELATIVE_COST = 3 // its place among the figures of a cell

/** What a framework's newest run of that day found. @param {string} root @param {string} name @param {string} day @returns {Promise<Found>} */
async function found(root, name, day) {
  const year = await readYear(root, name, Number(day.slice(0, 4)))
  const number = year.runs.findLastIndex(([at]) => at === day)
  if (number < 0) return null
  const cells = Object.entries(year.cells).flatMap(([cell, figures]) => {
    const cost = figures[number]?.[RELATIVE_COST]
    return cost === undefined ? [] : [/** @type {[string, number]} */ ([cell, cost])]
  })
  return { version: year.runs[number][1], cells: new Map(cells) }
}

/**
 * A table with a line for each cell. Frameworks that a run did not measure have none of its figures.
 * @param {string} root @param {Board} board @param {{chosen: string[], suite: string, before: string, after: string}} state
 */
export async function pairTable(root, board, { chosen, suite, before, after }) {
  const pairs = await Promise.all(
    chosen.map(async name => {
      const years = board.frameworks.find(([id]) => id === name)?.[3] ?? []
      const asked = [before, after].map(day => (years.includes(Number(day.slice(0, 4))) ? found(root, name, day) : null))
      return Promise.all(asked)
    }),
  )
  const titles = chosen.map(name => board.frameworks.find(([id]) => id === name)?.[1] ?? name)
  const table = document.createElement('table')
  table.createTHead().insertRow().append(header('cell'), ...titles.map(header))
  const body = table.createTBody()
  line(body, 'version', pairs.map(([old, now]) => `${old?.version ?? '–'} → ${now?.version ?? '–'}`))
  const cells = new Set(pairs.flatMap(pair => pair.flatMap(one => [...(one?.cells.keys() ?? [])])))
  for (const cell of [...cells].sort()) {
    if (suite && !cell.startsWith(`${suite}/`)) continue
    line(body, board.cells[cell] ?? cell, pairs.map(([old, now]) => textOf(old?.cells.get(cell), now?.cells.get(cell))))
  }
  const title = document.createElement('h2')
  title.textContent = `Relative cost in the runs of ${before} and ${after}`
  const note = document.createElement('p')
  note.textContent =
    'These differences are not claims: of many cells some differ by chance. Claims are in the changes. A baseline has no relative cost.'
  const part = document.createElement('section')
  part.className = 'pair'
  part.append(title, note, scrolling(table, title.textContent))
  return part
}

/** @param {number | undefined} old @param {number | undefined} now */
function textOf(old, now) {
  if (old === undefined && now === undefined) return '–'
  if (old === undefined || now === undefined) return `${old ?? '–'} → ${now ?? '–'}`
  const percent = 100 * (now / old - 1)
  return `${old} → ${now} (${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %)`
}
