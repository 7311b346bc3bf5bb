// Sources: src/download-artifact.ts and action.yml of actions/download-artifact v8.0.1.
import { join, resolve } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import { minimatch } from 'minimatch'

const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

async function main() {
  const [wanted, pattern] = [input('name'), input('pattern')]
  const path = resolve(input('path'))
  const client = new DefaultArtifactClient()
  // Of several artifacts of one name the newest is taken (`listArtifacts({latest: true})`; by name, `getArtifact`).
  const { artifacts } = await client.listArtifacts({ latest: true })
  // action.yml, `pattern`: "Ignored if name is specified"; `name`: "If unspecified, all artifacts for the run are
  // downloaded."
  const fits = name => (wanted ? name === wanted : !pattern || minimatch(name, pattern))
  const chosen = artifacts.filter(({ name }) => fits(name))
  // A name that no artifact has is an error ("Artifact '…' not found"). A pattern that fits none is not.
  if (wanted && chosen.length === 0) throw new Error(`Artifact '${wanted}' not found`)

  const damaged = []
  for (const { id, name, digest } of chosen) {
    // A single artifact is unpacked into `path` itself, also where a pattern chose it (`artifacts.length === 1`; README
    // of v5: "This change also applies to patterns that only match a single artifact").
    const folder = chosen.length === 1 ? path : join(path, name)
    const { digestMismatch } = await client.downloadArtifact(id, { path: folder, expectedHash: digest })
    if (digestMismatch) damaged.push(name)
    console.log(`artifact ${name} is in ${folder}`)
  }
  // action.yml, `digest-mismatch`: "Default is error which will fail the action." The files are there nevertheless.
  if (damaged.length) throw new Error(`Digest validation failed for artifact(s): ${damaged.join(', ')}`)
  console.log(`Total of ${chosen.length} artifact(s) downloaded`)
}

main().catch(error => {
  console.log(`::error::Unable to download artifact(s): ${error.message}`)
  process.exitCode = 1
})
