// Which files an artifact has, and where in it. Sources: src/shared/search.ts of actions/upload-artifact v7.0.0, and
// packages/glob/src/internal-globber.ts of actions/toolkit.
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Returns the files of `path`, an input with a path on each line, and the folder that their names are relative to. */
export function filesToUpload(path) {
  const searched = searchPaths(path)
  const files = searched.flatMap(filesUnder)
  return { files, root: rootOf(searched, files) }
}

/** The paths to search. None may be under another. */
function searchPaths(path) {
  const lines = path.split('\n').map(line => line.trim()).filter(line => line)
  // The action also knows patterns, paths to leave out, the home folder, and comments. This stand-in does not.
  const unknown = lines.filter(line => /[*?[\]]|^[!~#]/.test(line))
  if (unknown.length) throw new Error(`this stand-in knows plain paths only, not ${unknown}`)
  return lines.map(line => resolve(line))
}

/** All files in a folder, or the file itself. Folders are no files, so empty ones are left out. */
function filesUnder(path) {
  // README, "Uploading Hidden Files": "any file beginning with `.` or files within folders beginning with `.`" are
  // ignored. Only what is searched counts: the folders above a path may begin with a dot.
  if (basename(path).startsWith('.')) return []
  // Links are followed, and broken ones left out (getDefaultGlobOptions).
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? readdirSync(path).flatMap(name => filesUnder(join(path, name))) : [path]
}

function rootOf(searched, files) {
  // "If multiple paths are specific, the least common ancestor (LCA) of the search paths is used" (getMultiPathLCA),
  // and not of the files that were found.
  if (searched.length > 1) return commonFolder(searched)
  // "Special case for a single file artifact": "the root directory will be the single files parent directory"
  if (files.length === 1 && files[0] === searched[0]) return dirname(files[0])
  return searched[0]
}

/** The deepest folder that all paths are in. */
function commonFolder(paths) {
  const [first, ...others] = paths.map(path => path.split(sep))
  const length = first.findIndex((part, index) => others.some(other => other[index] !== part))
  return first.slice(0, length).join(sep) || sep
}
