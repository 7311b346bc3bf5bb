// @ts-check
// Leads on to where a page is now, with what its address had chosen.

const link = /** @type {HTMLAnchorElement} */ (document.querySelector('a.moved'))
location.replace(`${link.href}${location.search}${location.hash}`)

export {} // a file without imports and exports would be no module
