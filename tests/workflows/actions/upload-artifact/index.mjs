import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'

const input = name => process.env[`INPUT_${name.toUpperCase()}`] ?? ''

function filesUnder(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? readdirSync(path).flatMap(name => filesUnder(join(path, name))) : [path]
}

const paths = input('path').split('\n').filter(Boolean).map(path => resolve(path))
const files = paths.flatMap(filesUnder)
if (files.length === 0) {
  const wanted = input('if-no-files-found')
  console.log(`${wanted === 'ignore' ? '' : `::${wanted === 'error' ? 'error' : 'warning'}::`}no files at ${paths}`)
  process.exit(wanted === 'error' ? 1 : 0)
}
// a folder's content is uploaded without the folder; files without the folder that they are in
const root = files.includes(paths[0]) ? dirname(paths[0]) : paths[0]
const { id, size } = await new DefaultArtifactClient().uploadArtifact(input('name'), files, root)
console.log(`artifact ${input('name')} has id ${id} and ${size} bytes of ${files.length} files`)
