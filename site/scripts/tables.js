// @ts-check
// Chooses, sorts and finds rows, and chooses columns. The address has what differs from the page as it comes:
// ?language=Python&language=Rust&q=orjson&variants=all&maintained=1&sort=-framework&show=version&hide=language

/** @typedef {{name: string, value: string, title: string}} Chip what a chip puts into the address */

const ALL_VARIANTS = { name: 'variants', value: 'all', title: 'all variants' }
const MAINTAINED = { name: 'maintained', value: '1', title: 'only maintained' }
/** Filters of earlier addresses, whose values the search finds. */
const EARLIER = ['interface', 'server', 'variant']
/** A row that is certainly slower than the first one of its group, and a row without a group. */
const BEHIND = '▼'
const NONE = '–'
/** Columns that always stay: without them, a row could not be distinguished from others. */
const ALWAYS_SHOWN = ['group', 'framework']
/** Which of the groups in `data-groups` is that among all rows, among the best of each framework, among those of a language. */
const AMONG = ['all', 'best', 'language']
/** How many letters a search needs to be answered by frameworks that have no row, and how many it names. */
const FEWEST_LETTERS = 3
const MOST_ANSWERS = 5

/** @type {HTMLTableElement[]} */
const tables = [...document.querySelectorAll('table.sortable')].map(table => /** @type {HTMLTableElement} */ (table))
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))
/** Other names of languages. @type {Record<string, string>} */
const alsoCalled = JSON.parse(form?.dataset.also ?? '{}')

/** The rows of a table in the order in which the page came. */
const original = new Map(tables.map(table => [table, [...table.tBodies[0].rows]]))
const rows = [...original.values()].flat()

/** How many frameworks there are of each language, in alphabetical order. */
function languages() {
  const found = new Map()
  for (const row of rows) {
    const language = row.dataset.language ?? ''
    if (!found.has(language)) found.set(language, new Set())
    found.get(language).add(row.dataset.entry)
  }
  return [...found].sort(([one], [other]) => one.localeCompare(other)).map(([name, entries]) => ({ name, count: entries.size }))
}

const state = () => new URLSearchParams(location.search)

/** Shows another state, which becomes the address. @param {URLSearchParams} wanted @param {boolean} [replaces] */
function go(wanted, replaces = false) {
  const query = wanted.toString()
  const address = `${location.pathname}${query ? `?${query}` : ''}${location.hash}`
  if (replaces) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  show()
}

/** Adds a value to the address, or takes it out. @param {string} name @param {string} value @param {boolean} there */
function toggle(name, value, there) {
  const wanted = state()
  const others = wanted.getAll(name).filter(other => other !== value)
  wanted.delete(name)
  for (const each of there ? [...others, value] : others) wanted.append(name, each)
  go(wanted)
}

/** @param {Chip} chip */
function chip({ name, value, title }) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'chip'
  button.dataset.name = name
  button.dataset.value = value
  button.textContent = title
  button.addEventListener('click', () => {
    if (value) return toggle(name, value, button.getAttribute('aria-pressed') !== 'true')
    const wanted = state()
    wanted.delete(name)
    return go(wanted)
  })
  return button
}

/** A language with its other name. @param {string} language */
const calledToo = language => [language, alsoCalled[language]].filter(name => name).join(' / ')

function buildFilters() {
  const found = languages()
  if (found.length > 1) {
    form.append(chip({ name: 'language', value: '', title: 'all languages' }))
    form.append(...found.map(({ name, count }) => chip({ name: 'language', value: name, title: `${calledToo(name)} ${count}` })))
  }
  if (rows.some(row => row.dataset.status)) form.append(chip(MAINTAINED))
  if (rows.some(row => row.dataset.extra)) form.append(chip(ALL_VARIANTS))
  const search = document.createElement('input')
  search.type = 'search'
  search.placeholder = 'find a framework…'
  search.setAttribute('aria-label', 'Find a framework')
  search.addEventListener('input', () => {
    const wanted = state()
    if (search.value) wanted.set('q', search.value)
    else wanted.delete('q')
    go(wanted, true)
  })
  form.append(search, columnsChooser())
  const fold = form.closest('details')
  if (fold) fold.hidden = false
  form.addEventListener('submit', event => event.preventDefault())
}

/** The title of a column, without its rate and its interval, which differ from table to table. @param {Element} header */
function columnOf(header) {
  return (header.textContent ?? '').split(/ at [\d,]+ | \(/)[0]
}

/** @param {HTMLTableElement} table */
function headersOf(table) {
  return [...(table.tHead?.rows[0].cells ?? [])]
}

/** Boxes for the columns of all tables. */
function columnsChooser() {
  const details = document.createElement('details')
  details.className = 'columns-shown'
  const summary = document.createElement('summary')
  summary.textContent = 'Columns'
  details.append(summary)
  const folded = new Map(tables.flatMap(headersOf).map(header => [columnOf(header), 'folded' in header.dataset]))
  for (const [title, isFolded] of folded) {
    if (ALWAYS_SHOWN.includes(title)) continue
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.value = title
    box.addEventListener('change', () => toggle(isFolded ? 'show' : 'hide', title, box.checked === isFolded))
    const label = document.createElement('label')
    label.append(box, title)
    details.append(label)
  }
  return details
}

function buildHeaders() {
  for (const table of tables) {
    for (const header of headersOf(table)) {
      const button = document.createElement('button')
      button.type = 'button'
      button.append(...header.childNodes)
      header.append(button)
      button.addEventListener('click', () => {
        const column = columnOf(header)
        const wanted = state()
        const orders = bestIsHigh(table, header.cellIndex) ? [`-${column}`, column] : [column, `-${column}`]
        const next = orders[orders.indexOf(wanted.get('sort') ?? '') + 1]
        if (next) wanted.set('sort', next)
        else wanted.delete('sort')
        go(wanted)
      })
    }
  }
}

/** Whether the figures of a column fall from the fastest row to the slowest. @param {HTMLTableElement} table @param {number} column */
function bestIsHigh(table, column) {
  const found = (original.get(table) ?? []).map(row => key(row.cells[column])).filter(each => typeof each === 'number')
  return found.length > 1 && Number(found[0]) > Number(found[found.length - 1])
}

/** Shows what the address says, and names what the page does not have. */
function show() {
  const wanted = state()
  const known = languages().map(({ name }) => name)
  const chosen = wanted.getAll('language').filter(name => known.includes(name))
  const words = [wanted.get('q') ?? '', ...EARLIER.flatMap(name => wanted.getAll(name))].join(' ').toLowerCase().split(' ').filter(word => word)
  const variants = wanted.get('variants') === 'all'
  const among = variants ? 'all' : chosen.length === 1 ? 'language' : 'best'
  for (const button of form.querySelectorAll('button')) {
    const { name = '', value = '' } = button.dataset
    button.setAttribute('aria-pressed', String(value ? wanted.getAll(name).includes(value) : chosen.length === 0))
  }
  const search = form.querySelector('input')
  if (search && document.activeElement !== search) search.value = wanted.get('q') ?? ''
  for (const row of rows) {
    const fits = (chosen.length === 0 || chosen.includes(row.dataset.language ?? '')) && (variants || !row.dataset.extra)
    const found = words.every(word => (row.dataset.search ?? '').includes(word))
    row.hidden = !fits || !found || (wanted.get('maintained') === '1' && Boolean(row.dataset.status))
  }
  for (const table of tables) {
    sort(table, wanted.get('sort') ?? '')
    showColumns(table, wanted)
    showGroups(table, among)
    const part = table.closest('section')
    if (part) part.hidden = !(original.get(table) ?? []).some(row => !row.hidden)
  }
  tell(wanted, known, among === 'language' ? chosen[0] : '', words)
  document.dispatchEvent(new Event('shown'))
  for (const link of document.querySelectorAll('a.keeps')) /** @type {HTMLAnchorElement} */ (link).search = queryOf(wanted)
}

/** What a page about other rows takes over: not the rows that were ticked. @param {URLSearchParams} wanted */
function queryOf(wanted) {
  const passed = new URLSearchParams(wanted)
  passed.delete('f')
  return passed.toString()
}

/**
 * Says which rows are shown, and what their groups are among: those of one language, or all.
 * @param {URLSearchParams} wanted @param {string[]} known @param {string} language @param {string[]} words
 */
function tell(wanted, known, language, words) {
  const shown = rows.filter(row => !row.hidden).length
  const all = rows.filter(row => !row.dataset.extra || !row.hidden).length
  const sentences = wanted.getAll('language').filter(name => !known.includes(name)).map(name => `There is no language ${name} here.`)
  if (shown === 0) sentences.push(`No row fits${words.length > 0 ? ` “${words.join(' ')}”` : ''}.`)
  else if (shown < all) sentences.push(`${shown} of ${all} rows are shown.`, ...(rows.some(row => row.dataset.groups) ? [aboutGroups(language)] : []))
  status.replaceChildren(sentences.join(' '), ...answers(words))
  if (shown > 0) return
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Show all'
  button.addEventListener('click', () => go(new URLSearchParams()))
  status.append(' ', button)
}

/** @param {string} language that of the frameworks that are compared; empty where all are */
function aboutGroups(language) {
  if (!language) return 'Groups and speeds are those among all frameworks.'
  const first = rows.filter(row => tables.length === 1 && row.dataset.language === language && groupOf(row, 'language') === '1')
  const names = first.map(row => row.cells[1].querySelector('a')?.textContent)
  const fastest = names.length > 0 ? `Fastest of ${language}: ${names.join(', ')}. ` : ''
  return `${fastest}Groups compare the frameworks of ${language} alone; speeds are still shares of the first row of all languages.`
}

/** What the page knows of frameworks that have no row, and whose names have all these words. @param {string[]} words */
function answers(words) {
  if (words.join('').length < FEWEST_LETTERS) return []
  /** @param {string | null | undefined} name */
  const isMeant = name => words.every(word => name?.toLowerCase().includes(word))
  const found = []
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.absent'))) {
    const there = /** @type {HTMLElement} */ (part.querySelector('.there'))
    for (const link of part.querySelectorAll('a:not(.there)')) {
      if (isMeant(link.textContent)) found.push([link.cloneNode(true), ` has no row here (${part.dataset.reason}). It is in `, there.cloneNode(true), '.'])
    }
  }
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.awaited li'))) {
    if (isMeant(item.dataset.name)) found.push([...item.cloneNode(true).childNodes])
  }
  return found.slice(0, MOST_ANSWERS).map(parts => {
    const answer = document.createElement('span')
    answer.className = 'answer'
    answer.append(...parts)
    return answer
  })
}

/** @param {HTMLTableElement} table @param {URLSearchParams} wanted */
function showColumns(table, wanted) {
  const shown = wanted.getAll('show')
  const hidden = wanted.getAll('hide')
  const hides = headersOf(table).map(header => {
    const title = columnOf(header)
    return !ALWAYS_SHOWN.includes(title) && ('folded' in header.dataset ? !shown.includes(title) : hidden.includes(title))
  })
  for (const row of [table.rows[0], ...(original.get(table) ?? [])]) hides.forEach((hide, column) => (row.cells[column].hidden = hide))
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('.columns-shown input'))) {
    const column = headersOf(table).findIndex(header => columnOf(header) === box.value)
    if (column >= 0) box.checked = !hides[column]
  }
}

/** Gives rows their groups, and marks where a group begins. @param {HTMLTableElement} table @param {string} among */
function showGroups(table, among) {
  table.dataset.among = among
  const column = headersOf(table).findIndex(header => columnOf(header) === 'group')
  if (column < 0) return
  let before = ''
  for (const row of table.tBodies[0].rows) {
    const group = groupOf(row, among)
    if (!group) continue
    row.cells[column].textContent = group
    const number = group.replace(BEHIND, '')
    row.classList.toggle('begins', before !== '' && number !== NONE && number !== before)
    if (!row.hidden && number !== NONE) before = number
  }
}

/** @param {HTMLTableRowElement} row @param {string} among */
const groupOf = (row, among) => row.dataset.groups?.split(' ')[AMONG.indexOf(among)]

/** Sorts by a column, in falling order with a minus before it. @param {HTMLTableElement} table @param {string} by */
function sort(table, by) {
  const falling = by.startsWith('-')
  const wanted = falling ? by.slice(1) : by
  const headers = headersOf(table)
  const column = headers.findIndex(header => columnOf(header) === wanted)
  headers.forEach((header, index) => {
    if (index === column) header.setAttribute('aria-sort', falling ? 'descending' : 'ascending')
    else header.removeAttribute('aria-sort')
  })
  const sorted = [...(original.get(table) ?? [])]
  const order = /** @type {HTMLElement | null | undefined} */ (table.closest('.board')?.querySelector('.order'))
  if (order) {
    order.dataset.own ??= order.textContent ?? ''
    order.textContent = column < 0 ? order.dataset.own : `Sorted by ${wanted}, ${falling ? 'falling' : 'rising'}.`
  }
  if (column >= 0) sorted.sort((one, other) => compare(key(one.cells[column]), key(other.cells[column]), falling))
  table.tBodies[0].append(...sorted)
}

/** The number at the beginning of a cell, else its text. "–" has null, and so has text in a column of figures. @param {HTMLTableCellElement} cell */
function key(cell) {
  const text = (cell.textContent ?? '').trim()
  const number = Number.parseFloat(text.replace('≥ ', '').replaceAll(',', ''))
  if (cell.classList.contains('number') || cell.querySelector('.bar')) return Number.isNaN(number) ? null : number
  return text === '–' ? null : text.toLowerCase()
}

/** Cells without a figure come last in both directions. @param {string | number | null} one @param {string | number | null} other @param {boolean} falling */
function compare(one, other, falling) {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order = one < other ? -1 : one > other ? 1 : 0
  return falling ? -order : order
}

if (tables.length > 0) {
  buildFilters()
  buildHeaders()
  addEventListener('popstate', show)
  show()
} else {
  for (const link of document.querySelectorAll('a.keeps')) /** @type {HTMLAnchorElement} */ (link).search = queryOf(state())
}

export {} // a file without imports and exports would be no module
