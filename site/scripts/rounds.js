// @ts-check
// Draws how the rounds of each row are spread, when a reader opens them.

import { cell, header } from './elements.js'

/** @typedef {[string, string, string | null, number[], number[]]} Rounds entry, title, variant, requests per second, CPU µs per request */
/** @typedef {{tables: Record<string, Rounds[]>}} Document */

const WIDTH = 480
const HEIGHT = 22
const REACH = 0.1 // of the median, on either side; rounds further away are drawn at the edge

/** @type {Map<string, Promise<Document>>} */
const documents = new Map()

/** Reads a file once. @param {string} address @returns {Promise<Document>} */
function read(address) {
  const found = documents.get(address)
  if (found) return found
  const reading = fetch(address).then(answer => {
    if (!answer.ok) throw new Error(`${address} cannot be read (${answer.status}).`)
    return answer.json()
  })
  documents.set(address, reading)
  return reading
}

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

/** @param {Rounds[]} rows */
function tableOf(rows) {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  head.append(...['framework', 'rounds', `from −${100 * REACH} % to +${100 * REACH} % of the median`, 'smallest, median, largest'].map(header))
  const body = table.createTBody()
  for (const [, title, variant, , values] of rows) {
    if (values.length === 0) continue
    const drawn = document.createElement('td')
    drawn.append(strip(values))
    const told = [Math.min(...values), median(values), Math.max(...values)].map(value => Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 4 }))
    body.insertRow().append(cell([title, variant].filter(part => part).join(' · ')), cell(`${values.length} × CPU µs per request`), drawn, cell(told.join(', '), 'number'))
  }
  return table
}

/** @param {HTMLDetailsElement} details */
async function fill(details) {
  const { rounds = '', table = '' } = details.dataset
  const place = document.createElement('div')
  place.className = 'scroll'
  place.tabIndex = 0
  place.setAttribute('role', 'region')
  place.setAttribute('aria-label', 'Rounds')
  try {
    const found = (await read(rounds)).tables[table] ?? []
    const note = document.createElement('p')
    note.textContent = 'A stroke is the CPU time per request in a round that counts.'
    place.append(tableOf(found))
    details.append(note, place)
  } catch (error) {
    documents.delete(rounds)
    const note = document.createElement('p')
    note.textContent = `${rounds} cannot be shown: ${/** @type {Error} */ (error).message}`
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
