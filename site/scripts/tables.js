// @ts-check
// Filters and sorting of the tables of a board. The address has what differs from the page as it comes.

/** @typedef {{name: string, title: string, attribute: string}} Filter */

/** @type {Filter[]} */
const FILTERS = [
  { name: 'language', title: 'Language', attribute: 'language' },
  { name: 'interface', title: 'Interface', attribute: 'interface' },
  { name: 'server', title: 'Server', attribute: 'server' },
  { name: 'schema', title: 'Schema', attribute: 'schema' },
  { name: 'variant', title: 'Variant', attribute: 'variant' },
  { name: 'status', title: 'Maintained', attribute: 'status' },
]
const ONCE = 'once'
const SORT = 'sort'

/** @type {HTMLTableElement[]} */
const tables = [...document.querySelectorAll('table.sortable')].map(table => /** @type {HTMLTableElement} */ (table))
const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
const status = /** @type {HTMLElement} */ (document.querySelector('.filtered'))

/** The rows of a table in the order in which the page came. */
const original = new Map(tables.map(table => [table, [...table.tBodies[0].rows]]))

/** The values that rows have of an attribute, in alphabetical order. @param {string} attribute */
function valuesOf(attribute) {
  const found = tables.flatMap(table => (original.get(table) ?? []).map(row => row.dataset[attribute] ?? ''))
  return [...new Set(found)].filter(value => value).sort()
}

function buildFilters() {
  for (const { name, title, attribute } of FILTERS) {
    const values = valuesOf(attribute)
    if (values.length < 2) continue
    const select = document.createElement('select')
    select.name = name
    select.append(new Option('all', ''), ...values.map(value => new Option(value, value)))
    form.append(labelled(title, select))
  }
  const once = document.createElement('input')
  once.type = 'checkbox'
  once.name = ONCE
  form.append(labelled('Each framework once', once))
  form.hidden = false
  form.addEventListener('input', () => {
    const state = new URLSearchParams(location.search)
    for (const field of fields()) {
      const value = field instanceof HTMLInputElement ? (field.checked ? '1' : '') : field.value
      if (value) state.set(field.name, value)
      else state.delete(field.name)
    }
    go(state)
  })
  form.addEventListener('submit', event => event.preventDefault())
}

/** @param {string} title @param {HTMLElement} field */
function labelled(title, field) {
  const label = document.createElement('label')
  label.append(title, field)
  return label
}

/** @returns {(HTMLSelectElement | HTMLInputElement)[]} */
function fields() {
  return [...form.querySelectorAll('select, input')].map(f => /** @type {HTMLSelectElement | HTMLInputElement} */ (f))
}

function buildHeaders() {
  for (const table of tables) {
    for (const header of table.tHead?.rows[0].cells ?? []) {
      const button = document.createElement('button')
      button.type = 'button'
      button.append(...header.childNodes)
      header.append(button)
      button.addEventListener('click', () => {
        const column = columnOf(header)
        const state = new URLSearchParams(location.search)
        const orders = bestIsHigh(table, header.cellIndex) ? [`-${column}`, column] : [column, `-${column}`]
        const next = orders[orders.indexOf(state.get(SORT) ?? '') + 1]
        if (next) state.set(SORT, next)
        else state.delete(SORT)
        go(state)
      })
    }
  }
}

/** What a column holds, without its rate and its interval: these differ from table to table. @param {Element} header */
function columnOf(header) {
  return (header.textContent ?? '').split(/ at [\d,]+ | \(/)[0]
}

/** Whether the figures of a column fall from the fastest row to the slowest. @param {HTMLTableElement} table @param {number} column */
function bestIsHigh(table, column) {
  const found = (original.get(table) ?? []).map(row => key(row.cells[column])).filter(each => typeof each === 'number')
  return found.length > 1 && Number(found[0]) > Number(found[found.length - 1])
}

/** Shows another state, which becomes the address. @param {URLSearchParams} state */
function go(state) {
  const query = state.toString()
  history.pushState(null, '', `${location.pathname}${query ? `?${query}` : ''}${location.hash}`)
  show()
}

/** Shows what the address says. What it names and the page does not have is told. */
function show() {
  const state = new URLSearchParams(location.search)
  const unknown = []
  for (const field of fields()) {
    const wanted = state.get(field.name) ?? ''
    if (field instanceof HTMLInputElement) field.checked = wanted === '1'
    else {
      field.value = wanted
      if (field.selectedIndex < 0) {
        unknown.push(`${field.name} ${wanted}`)
        field.value = ''
      }
    }
  }
  let shown = 0
  let all = 0
  for (const table of tables) {
    sort(table, state.get(SORT) ?? '')
    const before = shown
    const seen = new Set()
    for (const row of table.tBodies[0].rows) {
      const fits = fields().every(field => field instanceof HTMLInputElement || fitsField(row, field))
      const again = state.get(ONCE) === '1' && seen.has(row.dataset.entry)
      row.hidden = !fits || again
      if (!row.hidden) seen.add(row.dataset.entry)
      shown += row.hidden ? 0 : 1
      all += 1
    }
    const part = table.closest('section')
    if (part) part.hidden = shown === before
  }
  const told = shown === 0 ? ['No row fits.'] : [`${shown} of ${all} rows are shown. Groups are those among all rows.`]
  status.textContent = [...unknown.map(name => `There is no ${name} here.`), ...(shown < all ? told : [])].join(' ')
  if (shown > 0) return
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Show all'
  button.addEventListener('click', () => go(new URLSearchParams()))
  status.append(' ', button)
}

/** @param {HTMLTableRowElement} row @param {HTMLSelectElement} field */
function fitsField(row, field) {
  const filter = FILTERS.find(({ name }) => name === field.name)
  return !field.value || !filter || row.dataset[filter.attribute] === field.value
}

/** Sorts by a column, in falling order with a minus before it. @param {HTMLTableElement} table @param {string} by */
function sort(table, by) {
  const falling = by.startsWith('-')
  const wanted = falling ? by.slice(1) : by
  const headers = [...(table.tHead?.rows[0].cells ?? [])]
  const column = headers.findIndex(header => columnOf(header) === wanted)
  headers.forEach((header, index) => {
    if (index === column) header.setAttribute('aria-sort', falling ? 'descending' : 'ascending')
    else header.removeAttribute('aria-sort')
  })
  const rows = [...(original.get(table) ?? [])]
  if (column >= 0) rows.sort((one, other) => compare(key(one.cells[column]), key(other.cells[column]), falling))
  table.tBodies[0].append(...rows)
}

/** The number at the beginning of a cell of figures, else its text. "–", "x", "refused" and such have null. @param {HTMLTableCellElement} cell */
function key(cell) {
  const text = (cell.textContent ?? '').trim()
  if (!cell.classList.contains('number')) return text === '–' ? null : text.toLowerCase()
  const number = Number.parseFloat(text.replace('≥ ', '').replaceAll(',', ''))
  return Number.isNaN(number) ? null : number
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
}

export {} // a file without imports and exports would be no module
