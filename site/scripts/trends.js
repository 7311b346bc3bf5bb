// @ts-check
// Draws a cell of up to six frameworks over all runs: ?f=python/falcon,rust/axum&c=hello/hello_world&m=cpu

import { readBoard, readYear } from './data.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {{at: string, version: string | null, figures: number[] | null}} Point */
/** @typedef {Record<string, Point[]>} Series the points of each cell */

const MOST = 6
const NEWEST = 26
const WEEK = 7 * 24 * 3600 * 1000
/** Points further apart are not joined. */
const GAP = 2.6 * WEEK
/** The axis reaches at least so far above and below the median, as a share. */
const LEAST_SPAN = 0.05
/** Colours of Okabe and Ito. Lines also differ by their dashes. */
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9']
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4], [12, 4]]
const MEASURES = /** @type {Record<string, [string, number]>} */ ({
  cost: ['relative cost', 3],
  cpu: ['CPU µs per request', 0],
})

const place = /** @type {HTMLElement} */ (document.querySelector('.drawn'))
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))
const root = place.dataset.root ?? ''
/** @type {Map<string, Promise<Series>>} */
const known = new Map()
let turn = 0

/** All runs of a framework, year after year. @param {Board} board @param {string} id @returns {Promise<Series>} */
function seriesOf(board, id) {
  const there = known.get(id)
  if (there) return there
  const years = board.frameworks.find(([name]) => name === id)?.[3] ?? []
  const found = Promise.all(years.map(year => readYear(root, id, year))).then(read => {
    const series = /** @type {Series} */ ({})
    for (const { runs, cells } of read) {
      for (const [cell, figures] of Object.entries(cells)) {
        series[cell] ??= []
        series[cell].push(...runs.map(([at, version], index) => ({ at, version, figures: figures[index] })))
      }
    }
    return series
  })
  known.set(id, found)
  return found
}

/** @param {Board} board */
function asked(board) {
  const state = new URLSearchParams(location.search)
  const names = (state.get('f') ?? '').split(',').filter(name => name)
  const ids = board.frameworks.map(([id]) => id)
  const measure = state.get('m') ?? 'cost'
  return {
    chosen: [...new Set(names)].filter(name => ids.includes(name)).slice(0, MOST),
    unknown: [...names.filter(name => !ids.includes(name)), ...(measure in MEASURES ? [] : [measure])],
    cell: state.get('c') ?? '',
    measure: measure in MEASURES ? measure : 'cost',
  }
}

/** @param {string[]} chosen @param {string} cell @param {string} measure */
function go(chosen, cell, measure) {
  const parts = [chosen.length > 0 ? `f=${chosen.join(',')}` : '', cell ? `c=${cell}` : '', measure === 'cost' ? '' : `m=${measure}`]
  const query = parts.filter(part => part).join('&')
  history.pushState(null, '', `${location.pathname}${query ? `?${query}` : ''}`)
}

/** @param {string} title @param {string} name @param {Option[]} options @param {() => void} changed @returns {HTMLSelectElement} */
function choice(title, name, options, changed) {
  const select = document.createElement('select')
  select.name = name
  select.append(...options)
  select.addEventListener('change', changed)
  const label = document.createElement('label')
  label.append(title, select)
  form.append(label)
  return select
}

/** @typedef {HTMLOptionElement} Option */

/** @param {Board} board */
function buildForm(board) {
  const add = choice(
    'Framework',
    'add',
    [new Option('add a framework', ''), ...board.frameworks.map(([id, title, language]) => new Option(`${title} (${language})`, id))],
    () => {
      const now = asked(board)
      if (add.value) go([...now.chosen, add.value], now.cell, now.measure)
      show(board)
    },
  )
  const cell = choice('Cell', 'cell', [], () => {
    const now = asked(board)
    go(now.chosen, cell.value, now.measure)
    show(board)
  })
  const measure = choice('Figure', 'measure', Object.entries(MEASURES).map(([name, [title]]) => new Option(title, name)), () => {
    const now = asked(board)
    go(now.chosen, now.cell, measure.value)
    show(board)
  })
  const clear = document.createElement('button')
  clear.type = 'button'
  clear.textContent = 'Start again'
  clear.addEventListener('click', () => {
    go([], '', 'cost')
    show(board)
  })
  form.append(clear)
  form.addEventListener('submit', event => event.preventDefault())
  form.hidden = false
}

/** @param {Board} board */
async function show(board) {
  const mine = ++turn
  const { chosen, unknown, cell, measure } = asked(board)
  const [add, cells, measures] = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select')])
  add.value = ''
  add.disabled = chosen.length >= MOST
  measures.value = measure
  const told = unknown.map(name => `The board has no ${name}.`)
  if (chosen.length === 0) told.push('Choose a framework.')
  try {
    const series = await Promise.all(chosen.map(id => seriesOf(board, id)))
    if (mine !== turn) return // a newer choice is shown
    const names = [...new Set(series.flatMap(each => Object.keys(each)))].sort()
    const shown = names.includes(cell) ? cell : (names[0] ?? '')
    if (cell && chosen.length > 0 && !names.includes(cell)) told.push(`There is no cell ${cell} of these frameworks.`)
    cells.replaceChildren(...names.map(name => new Option(name, name)))
    cells.value = shown
    const lines = chosen.map((id, index) => ({ title: titleOf(board, id), points: series[index][shown] ?? [] }))
    place.replaceChildren()
    if (lines.length > 0) await draw(lines, shown, measure)
  } catch (error) {
    told.push(`${/** @type {Error} */ (error).message} The pages of the frameworks have the same trends.`)
  }
  status.textContent = told.join(' ')
}

/** @param {Board} board @param {string} id */
function titleOf(board, id) {
  const [, title, language] = board.frameworks.find(([name]) => name === id) ?? ['', id, '']
  return `${title} (${language})`
}

/** @typedef {{title: string, points: Point[]}} Line */

/** @param {Line[]} lines @param {string} cell @param {string} measure */
async function draw(lines, cell, measure) {
  const [title, offset] = MEASURES[measure]
  const Chart = await chartJs()
  const canvas = document.createElement('canvas')
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', `${title} of ${cell}: ${lines.map(line => line.title).join(', ')}`)
  const box = document.createElement('div')
  box.className = 'chart-box'
  box.append(canvas)
  place.append(box, tableOf(lines, title, offset))
  const values = lines.flatMap(({ points }) => points.flatMap(({ figures }) => figures?.[offset] ?? [])).sort((a, b) => a - b)
  const times = lines.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)))
  const median = values[Math.floor(values.length / 2)] ?? 1
  new Chart(canvas, {
    type: 'line',
    data: { datasets: lines.flatMap((line, index) => datasets(line, index, offset)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { type: 'linear', min: Math.min(...times), max: Math.max(...times), ticks: { callback: (/** @type {number} */ at) => new Date(at).toISOString().slice(0, 10) } },
        y: {
          title: { display: true, text: title },
          suggestedMin: median * (1 - LEAST_SPAN),
          suggestedMax: median * (1 + LEAST_SPAN),
        },
      },
      plugins: {
        legend: { labels: { filter: (/** @type {{text: string}} */ item) => item.text !== '' } },
        tooltip: { callbacks: { title: (/** @type {{parsed: {x: number}}[]} */ items) => new Date(items[0].parsed.x).toISOString().slice(0, 10) } },
      },
    },
  })
}

/** The line of a framework, and the bounds of its band. @param {Line} line @param {number} index @param {number} offset */
function datasets(line, index, offset) {
  const colour = COLOURS[index]
  const common = { pointRadius: 0, spanGaps: false, borderColor: colour }
  const band = { ...common, label: '', borderWidth: 0, backgroundColor: `${colour}33` }
  return [
    { ...band, data: withGaps(line.points, offset + 2), fill: '+1' },
    { ...band, data: withGaps(line.points, offset + 1), fill: false },
    { ...common, label: line.title, data: withGaps(line.points, offset), borderWidth: 2, borderDash: DASHES[index], backgroundColor: colour },
  ]
}

/** Points of a figure, with an empty one in each gap. @param {Point[]} points @param {number} offset */
function withGaps(points, offset) {
  const found = /** @type {{x: number, y: number | null}[]} */ ([])
  for (const { at, figures } of points) {
    const x = Date.parse(at)
    const before = found.at(-1)
    if (before && x - before.x > GAP) found.push({ x: before.x + 1, y: null })
    found.push({ x, y: figures?.[offset] ?? null })
  }
  return found
}

/** The newest figures as a table. @param {Line[]} lines @param {string} title @param {number} offset */
function tableOf(lines, title, offset) {
  const dates = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort().slice(-NEWEST).reverse()
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const text of ['run', ...lines.map(line => line.title)]) {
    const cell = document.createElement('th')
    cell.scope = 'col'
    cell.textContent = text
    head.append(cell)
  }
  const body = table.createTBody()
  for (const date of dates) {
    const row = body.insertRow()
    row.insertCell().textContent = date
    for (const { points } of lines) {
      const point = points.findLast(({ at }) => at === date)
      const figures = point?.figures
      const cell = row.insertCell()
      cell.className = 'number'
      cell.textContent = figures && figures.length > offset ? `${figures[offset]} (${figures[offset + 1]}–${figures[offset + 2]})` : '–'
    }
  }
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = `The newest runs as a table: ${title}, with its interval`
  const scroll = document.createElement('div')
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.setAttribute('role', 'region')
  scroll.setAttribute('aria-label', 'The newest runs')
  scroll.append(table)
  details.append(summary, scroll)
  return details
}

/** Chart.js, loaded when it is first needed. @returns {Promise<any>} */
function chartJs() {
  const there = /** @type {any} */ (globalThis).Chart
  if (there) return Promise.resolve(there)
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}chart.js`
    script.addEventListener('load', () => resolve(/** @type {any} */ (globalThis).Chart))
    script.addEventListener('error', () => reject(new Error(`${script.src} cannot be read.`)))
    document.head.append(script)
  })
}

try {
  const board = await readBoard(root)
  buildForm(board)
  addEventListener('popstate', () => show(board))
  await show(board)
} catch (error) {
  status.textContent = `${/** @type {Error} */ (error).message} The pages of the frameworks have all trends.`
}
