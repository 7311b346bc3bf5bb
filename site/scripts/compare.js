// @ts-check
// Compares two to six frameworks. The address has their names: ?f=python/falcon,rust/axum&s=hello
// With two days, it also compares what the runs of these days found: ?f=python/falcon&a=2026-11-01&b=2026-11-08

import { pairTable } from './compare_runs.js'
import { BOTTLENECK, FRAMEWORK, GROUP, SHARE, readBoard } from './data.js'
import { header, scrolling } from './elements.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {import('./data.js').Table} Table */
/** @typedef {import('./data.js').Row} Row */

const MOST = 6
const place = /** @type {HTMLElement} */ (document.querySelector('.compared'))
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))

/** @typedef {{chosen: string[], suite: string, before: string, after: string}} State */

/** What the address asks for. Names that the board does not have are told apart. @param {Board} board */
function asked(board) {
  const state = new URLSearchParams(location.search)
  const names = (state.get('f') ?? '').split(',').filter(name => name)
  const known = board.frameworks.map(([id]) => id)
  const suites = [...new Set(board.tables.map(({ suite }) => suite))]
  const suite = state.get('s') ?? ''
  const [before, after] = ['a', 'b'].map(name => state.get(name) ?? '')
  return {
    chosen: [...new Set(names)].filter(name => known.includes(name)).slice(0, MOST),
    suite: suites.includes(suite) ? suite : '',
    before: board.runs.includes(before) ? before : '',
    after: board.runs.includes(after) ? after : '',
    unknown: [
      ...names.filter(name => !known.includes(name)),
      ...(suite && !suites.includes(suite) ? [suite] : []),
      ...[before, after].filter(day => day && !board.runs.includes(day)).map(day => `run of ${day}`),
    ],
  }
}

/** @param {State} state */
function go({ chosen, suite, before, after }) {
  const parts = [
    chosen.length > 0 ? `f=${chosen.join(',')}` : '',
    suite ? `s=${encodeURIComponent(suite)}` : '',
    before ? `a=${before}` : '',
    after ? `b=${after}` : '',
  ]
  const query = parts.filter(part => part).join('&')
  history.pushState(null, '', `${location.pathname}${query ? `?${query}` : ''}`)
}

/** @param {Board} board */
function buildForm(board) {
  const add = document.createElement('select')
  add.name = 'add'
  add.append(new Option('add a framework', ''), ...board.frameworks.map(([id, title, language]) => new Option(`${title} (${language})`, id)))
  const suite = document.createElement('select')
  suite.name = 'suite'
  suite.append(new Option('all suites', ''), ...[...new Set(board.tables.map(table => table.suite))].map(name => new Option(name, name)))
  const days = ['a', 'b'].map(name => {
    const select = document.createElement('select')
    select.name = name
    select.append(new Option('no run', ''), ...[...board.runs].reverse().map(day => new Option(day, day)))
    return select
  })
  for (const [title, field] of /** @type {[string, HTMLSelectElement][]} */ ([
    ['Framework', add],
    ['Suite', suite],
    ['Run', days[0]],
    ['and run', days[1]],
  ])) {
    const label = document.createElement('label')
    label.append(title, field)
    form.append(label)
  }
  form.addEventListener('change', () => {
    const now = asked(board)
    const chosen = add.value ? [...now.chosen, add.value] : now.chosen
    go({ chosen, suite: suite.value, before: days[0].value, after: days[1].value })
    show(board)
  })
  form.addEventListener('submit', event => event.preventDefault())
  form.hidden = false
}

/** @param {Board} board */
async function show(board) {
  const now = asked(board)
  const { chosen, suite, before, after, unknown } = now
  const fields = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select')])
  fields[0].value = ''
  fields[0].disabled = chosen.length >= MOST
  fields[1].value = suite
  fields[2].value = before
  fields[3].value = after
  const told = unknown.map(name => `The board has no ${name}.`)
  if (chosen.length < (before && after ? 1 : 2)) told.push('Choose at least two frameworks.')
  status.textContent = told.join(' ')
  place.replaceChildren()
  if (chosen.length === 0) return
  place.append(tableOf(board, now))
  if (!before || !after) return
  try {
    const pair = await pairTable(place.dataset.root ?? '', board, now)
    if (JSON.stringify(asked(board)) === JSON.stringify(now)) place.append(pair)
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message
  }
}

/** @param {Board} board @param {State} state */
function tableOf(board, state) {
  const { chosen, suite } = state
  const numbers = chosen.map(name => board.frameworks.findIndex(([id]) => id === name))
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  head.append(header('scenario'), ...numbers.map(number => headerOf(board, number, state)))
  const body = table.createTBody()
  for (const each of board.tables.filter(one => !suite || one.suite === suite)) {
    const best = numbers.map(number => each.rows.find(row => row[FRAMEWORK] === number))
    if (best.every(row => row === undefined)) continue
    const fastest = Math.max(...best.map(row => row?.[SHARE] ?? 0))
    const line = body.insertRow()
    const link = document.createElement('a')
    link.href = `${place.dataset.root}board/${each.suite}/#${each.name}`
    link.textContent = each.title
    line.insertCell().append(link)
    for (const row of best) {
      const cell = line.insertCell()
      cell.className = 'number'
      cell.textContent = textOf(row, fastest)
    }
  }
  return scrolling(table, 'Comparison')
}

/** The name of a framework, and a button that removes it. @param {Board} board @param {number} number @param {State} state */
function headerOf(board, number, state) {
  const [id, title] = board.frameworks[number]
  const cell = header('')
  const link = document.createElement('a')
  link.href = `${place.dataset.root}framework/${id}/`
  link.textContent = title
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '✕'
  button.setAttribute('aria-label', `Remove ${title}`)
  button.addEventListener('click', () => {
    go({ ...state, chosen: state.chosen.filter(name => name !== id) })
    show(board)
  })
  cell.append(link, ' ', button)
  return cell
}

/** @param {Row | undefined} row @param {number} fastest */
function textOf(row, fastest) {
  if (row === undefined) return '–'
  const share = row[SHARE]
  if (share === null) return row[BOTTLENECK]
  const group = row[GROUP] === null ? 'not compared' : `group ${row[GROUP]}`
  return `${((100 * share) / fastest).toPrecision(3)} % (${group})`
}

try {
  const board = await readBoard(place.dataset.root ?? '')
  buildForm(board)
  addEventListener('popstate', () => show(board))
  show(board)
} catch (error) {
  status.textContent = `${/** @type {Error} */ (error).message} The tables of the suites have all figures.`
}
