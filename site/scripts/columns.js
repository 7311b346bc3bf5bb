// @ts-check
// Which columns of the tables are shown. The address names those that are hidden: ?hide=version&hide=measured

const HIDE = 'hide'

/** Columns that always stay: without them, a row could not be told from others. */
const KEPT = ['group', 'framework', 'variant']

/** @type {HTMLTableElement[]} */
const tables = [...document.querySelectorAll('table.sortable')].map(table => /** @type {HTMLTableElement} */ (table))
const place = /** @type {HTMLDetailsElement | null} */ (document.querySelector('.columns-shown'))

/** The titles of a table's columns. @param {HTMLTableElement} table */
function titlesOf(table) {
  return [...(table.tHead?.rows[0].cells ?? [])].map(header => header.textContent ?? '')
}

/** @param {HTMLDetailsElement} details */
function build(details) {
  for (const title of new Set(tables.flatMap(titlesOf))) {
    if (KEPT.includes(title)) continue
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.value = title
    const label = document.createElement('label')
    label.append(box, title)
    details.append(label)
  }
  details.hidden = false
  details.addEventListener('change', () => {
    const state = new URLSearchParams(location.search)
    state.delete(HIDE)
    for (const box of details.querySelectorAll('input')) if (!box.checked) state.append(HIDE, box.value)
    const query = state.toString()
    history.pushState(null, '', `${location.pathname}${query ? `?${query}` : ''}${location.hash}`)
    show(details)
  })
}

/** Shows the columns that the address does not hide. @param {HTMLDetailsElement} details */
function show(details) {
  const hidden = new URLSearchParams(location.search).getAll(HIDE).filter(title => !KEPT.includes(title))
  for (const box of details.querySelectorAll('input')) box.checked = !hidden.includes(box.value)
  for (const table of tables) {
    const hides = titlesOf(table).map(title => hidden.includes(title))
    for (const row of table.rows) {
      hides.forEach((hide, column) => {
        row.cells[column].hidden = hide
      })
    }
  }
}

if (place && tables.length > 0) {
  build(place)
  addEventListener('popstate', () => show(place))
  show(place)
}

export {} // a file without imports and exports would be no module
