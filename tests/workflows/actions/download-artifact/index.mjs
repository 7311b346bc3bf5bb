import { join, resolve } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import { minimatch } from 'minimatch'

const input = name => process.env[`INPUT_${name.toUpperCase()}`] ?? ''

const client = new DefaultArtifactClient()
const path = resolve(input('path') || '.')
// Of several artifacts of one name the newest is taken (src/download-artifact.ts of v8: `latest: true`).
const { artifacts } = await client.listArtifacts({ latest: true })
const chosen = artifacts.filter(({ name }) => (input('name') ? name === input('name') : minimatch(name, input('pattern'))))
if (input('name') && chosen.length === 0) {
  console.log(`::error::no artifact is called ${input('name')}`)
  process.exit(1)
}
if (chosen.length === 0) console.log(`no artifact fits ${input('pattern')}`)
// A single artifact is unpacked into `path` itself, also where a pattern chose it (README of v5 and later, "This change
// also applies to patterns that only match a single artifact").
for (const { id, name } of chosen) {
  const folder = chosen.length === 1 ? path : join(path, name)
  await client.downloadArtifact(id, { path: folder })
  console.log(`artifact ${name} is in ${folder}`)
}
