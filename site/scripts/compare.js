// @ts-check
// Compares two to six frameworks. The address has their names: ?f=python/falcon,rust/axum&s=hello

import { BOTTLENECK, FIRST, FRAMEWORK, LAST, SPEED, readBoard } from './data.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {import('./data.js').Table} Table */
/** @typedef {import('./data.js').Row} Row */

const MOST = 6
const place = /** @type {HTMLElement} */ (document.querySelector('.compared'))
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))

/** What the address asks for. Names that the board does not have are told apart. @param {Board} board */
function asked(board) {
  const state = new URLSearchParams(location.search)
  const names = (state.get('f') ?? '').split(',').filter(name => name)
  const known = board.frameworks.map(([id]) => id)
  const suites = [...new Set(board.tables.map(({ suite }) => suite))]
  const suite = state.get('s') ?? ''
  return {
    chosen: [...new Set(names)].filter(name => known.includes(name)).slice(0, MOST),
    suite: suites.includes(suite) ? suite : '',
    unknown: [...names.filter(name => !known.includes(name)), ...(suite && !suites.includes(suite) ? [suite] : [])],
  }
}

/** @param {string[]} chosen @param {string} suite */
function go(chosen, suite) {
  const parts = [chosen.length > 0 ? `f=${chosen.join(',')}` : '', suite ? `s=${encodeURIComponent(suite)}` : '']
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
  for (const [title, field] of /** @type {[string, HTMLSelectElement][]} */ ([['Framework', add], ['Suite', suite]])) {
    const label = document.createElement('label')
    label.append(title, field)
    form.append(label)
  }
  add.addEventListener('change', () => {
    const now = asked(board)
    if (add.value) go([...now.chosen, add.value], now.suite)
    show(board)
  })
  suite.addEventListener('change', () => {
    go(asked(board).chosen, suite.value)
    show(board)
  })
  form.addEventListener('submit', event => event.preventDefault())
  form.hidden = false
}

/** @param {Board} board */
function show(board) {
  const { chosen, suite, unknown } = asked(board)
  const fields = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select')])
  fields[0].value = ''
  fields[0].disabled = chosen.length >= MOST
  fields[1].value = suite
  const told = unknown.map(name => `The board has no ${name}.`)
  if (chosen.length < 2) told.push('Choose at least two frameworks.')
  status.textContent = told.join(' ')
  place.replaceChildren()
  if (chosen.length > 0) place.append(tableOf(board, chosen, suite))
}

/** @param {Board} board @param {string[]} chosen @param {string} suite */
function tableOf(board, chosen, suite) {
  const numbers = chosen.map(name => board.frameworks.findIndex(([id]) => id === name))
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  head.append(header('scenario'), ...numbers.map(number => headerOf(board, number, chosen, suite)))
  const body = table.createTBody()
  for (const each of board.tables.filter(one => !suite || one.suite === suite)) {
    const best = numbers.map(number => each.rows.find(row => row[FRAMEWORK] === number))
    if (best.every(row => row === undefined)) continue
    const fastest = Math.max(...best.map(row => row?.[SPEED] ?? 0))
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
  const scroll = document.createElement('div')
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.setAttribute('role', 'region')
  scroll.setAttribute('aria-label', 'Comparison')
  scroll.append(table)
  return scroll
}

/** @param {string} text */
function header(text) {
  const cell = document.createElement('th')
  cell.scope = 'col'
  cell.textContent = text
  return cell
}

/** The name of a framework, and a button that removes it. @param {Board} board @param {number} number @param {string[]} chosen @param {string} suite */
function headerOf(board, number, chosen, suite) {
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
    go(chosen.filter(name => name !== id), suite)
    show(board)
  })
  cell.append(link, ' ', button)
  return cell
}

/** @param {Row | undefined} row @param {number} fastest */
function textOf(row, fastest) {
  if (row === undefined) return '–'
  const speed = row[SPEED]
  if (speed === null) return row[BOTTLENECK]
  const ranks = row[FIRST] === null ? 'not ranked' : row[FIRST] === row[LAST] ? `rank ${row[FIRST]}` : `ranks ${row[FIRST]}–${row[LAST]}`
  return `${speed.toLocaleString('en')} · ${((100 * speed) / fastest).toPrecision(3)} % (${ranks})`
}

try {
  const board = await readBoard(place.dataset.root ?? '')
  buildForm(board)
  addEventListener('popstate', () => show(board))
  show(board)
} catch (error) {
  status.textContent = `${/** @type {Error} */ (error).message} The tables of the suites have all figures.`
}
