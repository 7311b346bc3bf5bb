import { join, resolve } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'

const input = name => process.env[`INPUT_${name.toUpperCase()}`] ?? ''

const client = new DefaultArtifactClient()
const path = resolve(input('path') || '.')
const { artifacts } = await client.listArtifacts({ latest: true })
const prefix = input('pattern').replace(/\*$/, '')
const chosen = artifacts.filter(({ name }) => (input('name') ? name === input('name') : name.startsWith(prefix)))
if (chosen.length === 0) {
  console.log(`::error::no artifact is called ${input('name') || input('pattern')}`)
  process.exit(1)
}
for (const { id, name } of chosen) {
  await client.downloadArtifact(id, { path: input('name') ? path : join(path, name) })
  console.log(`artifact ${name} is in ${path}`)
}
