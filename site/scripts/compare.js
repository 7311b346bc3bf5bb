// @ts-check
// Compares two to six frameworks. The address has their names: ?f=python/falcon,rust/axum&s=hello
// Where it names none, there are two to begin with.
// With two days, it also compares what the runs of these days found: ?f=python/falcon&a=2026-11-01&b=2026-11-08

import { pairTable } from './compare_runs.js'
import { readBoard } from './data.js'
import { cell, detail, header, line, scrolling } from './elements.js'

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

/** What the address asks for. Names that the board does not have are in `unknown`. @param {Board} board */
function asked(board) {
  const state = new URLSearchParams(location.search)
  const names = (state.get('f') ?? board.start.join(',')).split(',').filter(name => name)
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
    `f=${chosen.join(',')}`,
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
  const suite = choice('suite', 'Suite', [['all suites', ''], ...suites.map(name => /** @type {[string, string]} */ ([board.suites[name] ?? name, name]))])
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
  const sentences = unknown.map(name => `The board has no ${name}.`)
  if (chosen.length < (before && after ? 1 : 2)) sentences.push('Choose at least two frameworks.')
  status.textContent = sentences.join(' ')
  place.replaceChildren()
  if (chosen.length > 0) place.append(...scores(board, now), tableOf(board, now), factsOf(board, now))
  if (chosen.length === 0 || !before || !after) return
  try {
    const pair = await pairTable(root, board, now)
    if (JSON.stringify(asked(board)) === JSON.stringify(now)) place.append(pair)
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message
  }
}

/** @param {Board} board @param {string} name */
function titleOf(board, name) {
  return board.frameworks.find(([id]) => id === name)?.[1] ?? name
}

/** The tables with the place of each framework's row. @param {Board} board @param {State} state */
function tablesOf(board, { chosen, suite }) {
  return board.tables
    .filter(table => !suite || table.suite === suite)
    .map(table => ({ table, places: placesOf(table, chosen) }))
    .filter(({ places }) => places.some(found => found >= 0))
}

/** The rows of the fastest variant that all of the frameworks have; without one, the fastest of each. A framework without rows has -1. @param {Table} table @param {string[]} chosen */
function placesOf(table, chosen) {
  const [compared, others] = [true, false].map(is => [...table.rows.keys()].filter(found => (table.scales[found] !== null) === is))
  const own = chosen.map(name => [...compared, ...others].filter(found => table.rows[found].entry === name))
  const taking = own.filter(found => found.length > 0)
  /** @param {number[]} found @param {string | null} variant */
  const withVariant = (found, variant) => found.find(each => table.rows[each].variant === variant)
  const alike = [...compared, ...others].filter(found => taking.flat().includes(found)).map(found => table.rows[found].variant)
    .find(variant => taking.every(found => withVariant(found, variant) !== undefined))
  return own.map(found => (alike === undefined ? undefined : withVariant(found, alike)) ?? found[0] ?? -1)
}

/** What one row is against another one. Undefined where they are not compared. @param {Table} table @param {number} one @param {number} other */
function certain(table, one, other) {
  if (table.scales[one] === null || table.scales[one] !== table.scales[other]) return undefined
  return /** @type {Certain | undefined} */ (table.certain[other]?.[one])
}

/** In how many scenarios the first framework is certainly faster than each other one. @param {Board} board @param {State} state */
function scores(board, state) {
  const [first, ...others] = state.chosen.map(name => titleOf(board, name))
  const all = tablesOf(board, state)
  return others.map((other, index) => {
    const both = all.filter(({ places }) => places[0] >= 0 && places[index + 1] >= 0)
    const found = both.map(({ table, places }) => certain(table, places[0], places[index + 1]))
    const [faster, slower, level, not] = ['f', 's', '-', undefined].map(kind => found.filter(each => each === kind).length)
    const text = document.createElement('p')
    const strong = document.createElement('strong')
    strong.textContent = `${first} against ${other}: `
    text.append(
      strong,
      `certainly faster in ${faster} of ${both.length} scenarios that both have, certainly slower in ${slower}, cannot tell in ${level}`,
      not > 0 ? `, not compared in ${not}.` : '.',
    )
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
    const found = places.map(number => each.rows[number])
    const speeds = found.map(speedOf)
    const best = places[speeds.indexOf(Math.max(...speeds))]
    const link = document.createElement('a')
    link.href = `${root}board/${each.suite}/${each.scenario}/`
    link.textContent = each.title
    const row = body.insertRow()
    row.insertCell().append(link)
    if (pair) row.append(sentence(board, state, each, places))
    row.cells[row.cells.length - 1].append(detail(libraries(found)))
    for (const number of places) row.append(figures(each.rows[number], number === best || pair ? undefined : certain(each, number, best)))
  }
  return scrolling(table, 'Comparison')
}

/** What orders rows: the share, or the throughput where nothing links their languages. @param {Row | undefined} row */
function speedOf(row) {
  return row?.percent_of_best ?? row?.throughput ?? 0
}

/** Says where the rows do not use the same JSON library. @param {(Row | undefined)[]} rows */
function libraries(rows) {
  const used = new Set(rows.map(row => row?.json_library).filter(name => name))
  return used.size > 1 ? `different JSON libraries: ${[...used].join(' against ')}` : ''
}

/** Which of two is faster, and whether that is certain. @param {Board} board @param {State} state @param {Table} table @param {number[]} places */
function sentence(board, state, table, places) {
  const titles = state.chosen.map(name => titleOf(board, name))
  const rows = places.map(found => table.rows[found])
  const how = certain(table, places[0], places[1])
  if (how === undefined) return cell(`not compared: ${whyNot(titles, rows)}`)
  const speeds = rows.map(speedOf)
  const faster = how === 'f' || (how === '-' && speeds[0] >= speeds[1]) ? 0 : 1
  // without a share, a ratio would be one of throughputs that were measured at different times
  const by = rows[0].percent_of_best === null ? 'faster' : `${(speeds[faster] / speeds[1 - faster]).toPrecision(3)} × as fast`
  if (how === '-') return cell(rows[0].percent_of_best === null ? 'cannot tell' : `${titles[faster]}: ${by}, cannot tell`)
  return cell(`${titles[faster]}: ${by}, certain`, how === 'f' ? 'faster' : 'slower')
}

/** Why two rows are not compared. @param {string[]} titles @param {(Row | undefined)[]} rows */
function whyNot(titles, rows) {
  const reasons = rows.flatMap((row, index) => {
    const why = row === undefined ? 'has no row here' : row.not_compared
    return why === null ? [] : [`${titles[index]}: ${why}`]
  })
  return reasons.join('; ') || 'nothing links their languages in this scenario'
}

/** @param {number} value */
const figure = value => Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 10 })

/** The figures of a framework in a scenario. @param {Row | undefined} row @param {Certain} [against] */
function figures(row, against) {
  if (row === undefined) return cell('–', 'number')
  const { percent_of_best: share, percent_of_best_low: low, percent_of_best_high: high, throughput: rate, p50_ms: latency, memory_bytes: memory, variant } = row
  if (rate === null) return cell(row.bottleneck, 'number')
  const words = { f: '▲ faster', s: '▼ slower', '-': '≈ cannot tell' }
  const library = row.json_library === variant ? null : row.json_library
  const made = cell(share === null ? `${figure(rate)} requests/s` : `${share.toPrecision(3)} %`, 'number')
  if (low !== null && high !== null) made.append(` (${low.toPrecision(3)}–${high.toPrecision(3)})`)
  const more = [
    against && words[against],
    [variant, library && `(${library})`].filter(part => part).join(' '),
    share !== null && `${figure(rate)} requests/s`,
    [latency !== null && `p50 ${figure(latency)} ms`, memory !== null && `${figure(memory / 1e6)} MB`].filter(part => part).join(' · '),
  ]
  made.append(...more.filter(part => part).map(part => detail(`${part}`)))
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
