// @ts-check
// A narrow screen shows the first columns of a board. The others of a row are under it once it is unfolded, by its button
// or a tap on it. When rows are chosen or sorted anew, all are folded again.

/** How many columns a narrow screen shows. */
const SHOWN = 3

/** @param {HTMLTableElement} table */
function build(table) {
  table.classList.add('unfolds')
  for (const row of table.tBodies[0].rows) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'more'
    button.textContent = '…'
    button.setAttribute('aria-label', `More about ${row.cells[1].querySelector('a')?.textContent}`)
    button.setAttribute('aria-expanded', 'false')
    row.cells[SHOWN - 1].prepend(button)
    row.addEventListener('click', event => {
      const on = /** @type {Element} */ (event.target).closest('a, button, input')
      const isWide = button.offsetParent === null
      if (!isWide && (!on || on === button)) unfold(table, row, button)
    })
  }
}

/** Shows the other columns of a row under it, or takes them away. @param {HTMLTableElement} table @param {HTMLTableRowElement} row @param {HTMLButtonElement} button */
function unfold(table, row, button) {
  const opens = button.getAttribute('aria-expanded') === 'false'
  button.setAttribute('aria-expanded', String(opens))
  if (!opens) return row.nextElementSibling?.remove()
  const list = document.createElement('dl')
  for (const header of [...table.rows[0].cells].slice(SHOWN).filter(each => !each.hidden)) {
    const title = document.createElement('dt')
    title.textContent = header.textContent
    const figure = document.createElement('dd')
    figure.append(...row.cells[header.cellIndex].cloneNode(true).childNodes)
    list.append(title, figure)
  }
  const line = document.createElement('tr')
  line.className = 'unfolded'
  const cell = line.insertCell()
  cell.colSpan = SHOWN
  cell.append(list)
  row.after(line)
}

function fold() {
  for (const line of document.querySelectorAll('.unfolded')) line.remove()
  for (const button of document.querySelectorAll('.more')) button.setAttribute('aria-expanded', 'false')
}

for (const table of document.querySelectorAll('.board .sortable')) build(/** @type {HTMLTableElement} */ (table))
document.addEventListener('shown', fold)

export {} // a file without imports and exports would be no module
