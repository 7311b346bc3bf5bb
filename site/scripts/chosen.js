// @ts-check
// Rows can be ticked. All others then turn faster, slower or neither than the row that was ticked last, and the ticked
// ones can be compared. The address has the ticked rows: ?f=python/falcon:msgspec,rust/axum:typed
// Where groups are those of one language, rows are compared among those of that language too.

const WORDS = /** @type {Record<string, string>} */ ({ f: 'faster', s: 'slower', '-': 'level' })
const LABELS = /** @type {Record<string, string>} */ ({ faster: '▲ faster', slower: '▼ slower', level: '≈ cannot tell' })
const MOST = 6

const place = /** @type {HTMLElement | null} */ (document.querySelector('.chosen'))
/** @type {HTMLTableRowElement[]} */
const rows = [...document.querySelectorAll('table.sortable tbody tr')].map(row => /** @type {HTMLTableRowElement} */ (row))

/** @param {HTMLTableRowElement} row */
const nameOf = row => [row.dataset.entry, row.dataset.variant].filter(part => part).join(':')

const asked = () => (new URLSearchParams(location.search).get('f') ?? '').split(',').filter(name => name)

/** @param {string[]} names */
function go(names) {
  const state = new URLSearchParams(location.search)
  if (names.length > 0) state.set('f', names.join(','))
  else state.delete('f')
  const query = state.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',')
  history.pushState(null, '', `${location.pathname}${query ? `?${query}` : ''}${location.hash}`)
  show()
}

/** @param {HTMLTableRowElement} row */
const titleOf = row => [...row.cells[1].querySelectorAll('a:not(.badge), .detail')].map(part => part.textContent).join(' ')

function build() {
  for (const row of rows) {
    const cell = row.cells[1]
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.setAttribute('aria-label', `Tick ${titleOf(row)}`)
    box.addEventListener('change', () => {
      const others = asked().filter(name => name !== nameOf(row))
      go(box.checked ? [...others, nameOf(row)] : others)
    })
    const word = document.createElement('span')
    word.className = 'word'
    cell.prepend(box, ' ')
    cell.append(' ', word)
  }
}

/** Shows what is ticked, and what is certain about the row that was ticked last. */
function show() {
  const names = asked().filter(name => rows.some(row => nameOf(row) === name))
  const last = rows.find(row => nameOf(row) === names[names.length - 1])
  const own = last !== undefined && !last.hidden && last.closest('table')?.dataset.among === 'language'
  const against = (own ? last.dataset.ownAgainst : last?.dataset.against) ?? ''
  const counts = /** @type {Record<string, number>} */ ({ faster: 0, slower: 0, level: 0 })
  for (const row of rows) {
    const box = row.querySelector('input')
    if (box) box.checked = names.includes(nameOf(row))
    const place = own ? row.dataset.ownPlace : row.dataset.place
    const compares = row !== last && place && (!own || row.dataset.language === last.dataset.language)
    const kind = compares ? (WORDS[against[Number(place)]] ?? '') : ''
    for (const each of Object.values(WORDS)) row.classList.toggle(each, each === kind)
    const word = row.querySelector('.word')
    if (word) word.textContent = LABELS[kind] ?? ''
    if (kind && !row.hidden) counts[kind] += 1
  }
  tell(names, last, counts)
}

/** @param {string[]} names @param {HTMLTableRowElement | undefined} last @param {Record<string, number>} counts */
function tell(names, last, counts) {
  if (!place) return
  place.replaceChildren()
  if (!last) return
  const title = titleOf(last)
  const sentence = last.dataset.against
    ? `Certainly more than 10 % faster than ${title}: ${counts.faster}. Slower: ${counts.slower}. Cannot tell: ${counts.level}.`
    : `${title} is not compared.`
  const link = document.createElement('a')
  const entries = [...new Set(names.map(name => name.split(':')[0]))].slice(0, MOST)
  link.href = `${place.dataset.compare}?f=${entries.join(',')}`
  link.textContent = entries.length > 1 ? `Compare these ${entries.length}` : 'Compare it with another one'
  const clear = document.createElement('button')
  clear.type = 'button'
  clear.textContent = 'Clear'
  clear.addEventListener('click', () => go([]))
  place.append(sentence, ' ', link, ' ', clear)
}

if (place && rows.length > 0) {
  build()
  document.addEventListener('shown', show)
  show()
}

export {} // a file without imports and exports would be no module
