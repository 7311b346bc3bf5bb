// @ts-check
// Parts of tables that scripts make.

/** The header of a column. @param {string} text */
export function header(text) {
  const cell = document.createElement('th')
  cell.scope = 'col'
  cell.textContent = text
  return cell
}

/** A table that scrolls sideways by itself, where the page is narrow. @param {HTMLTableElement} table @param {string} title */
export function scrolling(table, title) {
  const scroll = document.createElement('div')
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.setAttribute('role', 'region')
  scroll.setAttribute('aria-label', title)
  scroll.append(table)
  return scroll
}

/** @param {string} text @param {string} [kind] */
export function cell(text, kind) {
  const made = document.createElement('td')
  made.textContent = text
  if (kind) made.className = kind
  return made
}

/** What stands below the text of a cell, in a quiet colour. @param {string} text */
export function detail(text) {
  const made = document.createElement('span')
  made.className = 'detail'
  made.textContent = text
  return made
}

/** Adds a row of figures with a name. @param {HTMLTableSectionElement} body @param {string} name @param {string[]} texts */
export function line(body, name, texts) {
  body.insertRow().append(cell(name), ...texts.map(text => cell(text, 'number')))
}
