// @ts-check
// Draws how the rounds of each row are spread, when a reader opens them.

import { readBoard } from './data.js'
import { cell, header } from './elements.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {import('./data.js').Row} Row */

const WIDTH = 480
const HEIGHT = 22
const REACH = 0.1 // of the median, on either side; rounds further away are drawn at the edge

/** @param {string} name @param {Record<string, string | number>} attributes */
function shape(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** A stroke for each round, by its distance from the median. @param {number[]} values */
function strip(values) {
  const middle = median(values)
  const svg = shape('svg', { class: 'strip', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${values.length} rounds` })
  for (const share of [-REACH, -REACH / 2, 0, REACH / 2, REACH]) {
    const x = WIDTH * (0.5 + share / (2.1 * REACH))
    svg.append(shape('line', { class: 'grid', x1: x, x2: x, y1: 0, y2: HEIGHT }))
  }
  for (const value of values) {
    const share = Math.max(-REACH, Math.min(REACH, value / middle - 1))
    const x = (WIDTH * (0.5 + share / (2.1 * REACH))).toFixed(1)
    svg.append(shape('line', { class: 'round', x1: x, x2: x, y1: 4, y2: HEIGHT - 4 }))
  }
  return svg
}

/** @param {Board} board @param {Row[]} rows */
function tableOf(board, rows) {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  head.append(...['framework', 'rounds', `from −${100 * REACH} % to +${100 * REACH} % of the median`, 'smallest, median, largest'].map(header))
  const body = table.createTBody()
  for (const { entry, variant, cpu_us_rounds: values } of rows) {
    if (values === null) continue
    const title = board.frameworks.find(([id]) => id === entry)?.[1]
    const drawn = document.createElement('td')
    drawn.append(strip(values))
    const figures = [Math.min(...values), median(values), Math.max(...values)].map(value => Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 4 }))
    body.insertRow().append(cell([title, variant].filter(part => part).join(' · ')), cell(`${values.length} × CPU µs per request`), drawn, cell(figures.join(', '), 'number'))
  }
  return table
}

/** @param {HTMLDetailsElement} details */
async function fill(details) {
  const { root = '', setting, suite, table: name } = details.dataset
  const place = document.createElement('div')
  place.className = 'scroll'
  place.tabIndex = 0
  place.setAttribute('role', 'region')
  place.setAttribute('aria-label', 'Rounds')
  try {
    const board = await readBoard(root)
    const found = board.settings[Number(setting)].tables.find(table => table.suite === suite && table.scenario === name)
    const note = document.createElement('p')
    note.textContent = 'A stroke is the CPU time per request in a round that counts.'
    place.append(tableOf(board, found?.rows ?? []))
    details.append(note, place)
  } catch (error) {
    const note = document.createElement('p')
    note.textContent = `The rounds cannot be shown: ${/** @type {Error} */ (error).message}`
    details.append(note)
  }
}

for (const found of document.querySelectorAll('details.rounds')) {
  const details = /** @type {HTMLDetailsElement} */ (found)
  details.hidden = false
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) fill(details)
  })
}
