// @ts-check
// Compares two to six frameworks. The address has their names: ?f=python/falcon,rust/axum&s=hello
// With two days, it also compares what the runs of these days found: ?f=python/falcon&a=2026-11-01&b=2026-11-08

import { pairTable } from './compare_runs.js'
import { BOTTLENECK, FRAMEWORK, LATENCY, MEMORY, RATE, SHARE, VARIANT, readBoard } from './data.js'
import { cell, header, line, scrolling } from './elements.js'

/** @typedef {import('./data.js').Board} Board */
/** @typedef {import('./data.js').Table} Table */
/** @typedef {import('./data.js').Row} Row */
/** @typedef {{chosen: string[], suite: string, before: string, after: string}} State */
/** @typedef {'f' | 's' | '-'} Certain what a row is against another one: certainly faster, certainly slower, or neither */

const MOST = 6
const place = /** @type {HTMLElement} */ (document.querySelector('.compared'))
const root = place.dataset.root ?? ''
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))

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

/** @param {string} name @param {string} title @param {[string, string][]} options text and value of each */
function choice(name, title, options) {
  const select = document.createElement('select')
  select.name = name
  select.append(...options.map(([text, value]) => new Option(text, value)))
  const label = document.createElement('label')
  label.append(title, select)
  form.append(label)
  return select
}

/** @param {Board} board */
function buildForm(board) {
  const suites = [...new Set(board.tables.map(table => table.suite))]
  const days = [...board.runs].reverse()
  const add = choice('add', 'Framework', [
    ['add a framework', ''],
    ...board.frameworks.map(([id, title, language]) => /** @type {[string, string]} */ ([`${title} (${language})`, id])),
  ])
  const suite = choice('suite', 'Suite', [['all suites', ''], ...suites.map(name => /** @type {[string, string]} */ ([name, name]))])
  const runs = ['a', 'b'].map((name, second) =>
    choice(name, second ? 'and run' : 'Run', [['no run', ''], ...days.map(day => /** @type {[string, string]} */ ([day, day]))]),
  )
  form.addEventListener('change', () => {
    const now = asked(board)
    const chosen = add.value ? [...now.chosen, add.value] : now.chosen
    go({ chosen, suite: suite.value, before: runs[0].value, after: runs[1].value })
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
  if (chosen.length === 0) place.append(...beginning(board))
  else place.append(...scores(board, now), tableOf(board, now), factsOf(board, now))
  if (chosen.length === 0 || !before || !after) return
  try {
    const pair = await pairTable(root, board, now)
    if (JSON.stringify(asked(board)) === JSON.stringify(now)) place.append(pair)
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message
  }
}

/** A comparison to begin with. @param {Board} board */
function beginning(board) {
  if (board.start.length < 2) return []
  const link = document.createElement('a')
  link.href = `?f=${board.start.join(',')}`
  link.textContent = board.start.map(name => titleOf(board, name)).join(' and ')
  const text = document.createElement('p')
  text.append('For example: ', link, '. Rows of the board can be ticked, too.')
  return [text]
}

/** @param {Board} board @param {string} name */
function titleOf(board, name) {
  return board.frameworks.find(([id]) => id === name)?.[1] ?? name
}

/** @param {Board} board @param {State} state */
function tablesOf(board, { chosen, suite }) {
  const numbers = chosen.map(name => board.frameworks.findIndex(([id]) => id === name))
  return board.tables
    .filter(table => !suite || table.suite === suite)
    .map(table => ({ table, places: numbers.map(number => table.rows.findIndex(row => row[FRAMEWORK] === number)) }))
    .filter(({ places }) => places.some(found => found >= 0))
}

/** What one row is against another one. Undefined where one of them is not compared. @param {Table} table @param {number} one @param {number} other */
function certain(table, one, other) {
  return /** @type {Certain | undefined} */ (table.certain[other]?.[one])
}

/** In how many scenarios the first framework is certainly faster than each other one. @param {Board} board @param {State} state */
function scores(board, state) {
  const [first, ...others] = state.chosen.map(name => titleOf(board, name))
  const all = tablesOf(board, state)
  return others.map((other, index) => {
    const found = all.map(({ table, places }) => certain(table, places[0], places[index + 1])).filter(each => each)
    const [faster, slower] = ['f', 's'].map(kind => found.filter(each => each === kind).length)
    const text = document.createElement('p')
    const strong = document.createElement('strong')
    strong.textContent = `${first} against ${other}: `
    text.append(strong, `certainly faster in ${faster} of ${found.length} scenarios that both have, certainly slower in ${slower}, cannot tell in ${found.length - faster - slower}.`)
    return text
  })
}

/** @param {Board} board @param {State} state */
function tableOf(board, state) {
  const table = document.createElement('table')
  const pair = state.chosen.length === 2
  table.createTHead().insertRow().append(header('scenario'), ...(pair ? [header('which is faster')] : []), ...state.chosen.map(name => headerOf(board, name, state)))
  const body = table.createTBody()
  for (const { table: each, places } of tablesOf(board, state)) {
    const shares = places.map(found => each.rows[found]?.[SHARE] ?? 0)
    const best = shares.indexOf(Math.max(...shares))
    const link = document.createElement('a')
    link.href = `${root}board/${each.suite}/${each.name}/`
    link.textContent = each.title
    const row = body.insertRow()
    row.insertCell().append(link)
    if (pair) row.append(sentence(board, state, each, places, shares))
    for (const [index, found] of places.entries()) row.append(figures(each.rows[found], shares[best], index === best || pair ? undefined : certain(each, found, places[best])))
  }
  return scrolling(table, 'Comparison')
}

/** Which of two is faster, and whether that is certain. @param {Board} board @param {State} state @param {Table} table @param {number[]} places @param {number[]} shares */
function sentence(board, state, table, places, shares) {
  const how = certain(table, places[0], places[1])
  const [one, other] = shares
  if (how === undefined || !one || !other) return cell('not compared')
  const [name, times] = one >= other ? [state.chosen[0], one / other] : [state.chosen[1], other / one]
  const said = how === '-' ? 'cannot tell' : 'certain'
  return cell(`${titleOf(board, name)}: ${times.toPrecision(3)} × as fast, ${said}`, how === '-' ? '' : how === 'f' ? 'faster' : 'slower')
}

/** The figures of a framework in a scenario. @param {Row | undefined} row @param {number} best @param {Certain} [against] */
function figures(row, best, against) {
  if (row === undefined) return cell('–', 'number')
  const share = row[SHARE]
  if (share === null || row[RATE] === null) return cell(row[BOTTLENECK], 'number')
  const words = { f: '▲ faster', s: '▼ slower', '-': '≈ cannot tell' }
  const more = [
    row[VARIANT],
    `${Number(row[RATE]?.toPrecision(3)).toLocaleString('en')}/s`,
    row[LATENCY] === null ? null : `p50 ${Number(row[LATENCY]?.toPrecision(3))} ms`,
    row[MEMORY] === null ? null : `${row[MEMORY]?.toPrecision(3)} MB`,
    against && words[against],
  ]
  const made = cell(`${((100 * share) / best).toPrecision(3)} %`, 'number')
  const detail = document.createElement('span')
  detail.className = 'detail'
  detail.textContent = ` ${more.filter(part => part).join(' · ')}`
  made.append(detail)
  return made
}

/** The name of a framework, and a button that removes it. @param {Board} board @param {string} name @param {State} state */
function headerOf(board, name, state) {
  const made = header('')
  const link = document.createElement('a')
  link.href = `${root}framework/${name}/`
  link.textContent = titleOf(board, name)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '✕'
  button.setAttribute('aria-label', `Remove ${link.textContent}`)
  button.addEventListener('click', () => {
    go({ ...state, chosen: state.chosen.filter(other => other !== name) })
    show(board)
  })
  made.append(link, ' ', button)
  return made
}

/** Versions, licences and sizes side by side. @param {Board} board @param {State} state */
function factsOf(board, { chosen }) {
  const table = document.createElement('table')
  table.createTHead().insertRow().append(header('fact'), ...chosen.map(name => header(titleOf(board, name))))
  const body = table.createTBody()
  const facts = chosen.map(name => board.frameworks.find(([id]) => id === name)?.[4] ?? [])
  board.facts.forEach((fact, index) => line(body, fact, facts.map(each => each[index] ?? '–')))
  return scrolling(table, 'Facts')
}

try {
  const board = await readBoard(root)
  buildForm(board)
  addEventListener('popstate', () => show(board))
  show(board)
} catch (error) {
  status.textContent = `${/** @type {Error} */ (error).message} The tables of the board have all figures.`
}
