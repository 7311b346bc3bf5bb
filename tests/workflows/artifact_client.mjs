// Takes the places of @actions/artifact and minimatch in tests of the stand-ins. It knows the artifacts of the environment
// variable ARTIFACTS, and prints what it is asked to upload.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const artifacts = JSON.parse(process.env.ARTIFACTS ?? '[]')

export class DefaultArtifactClient {
  async listArtifacts({ latest = false } = {}) {
    const newestFirst = [...artifacts].sort((one, other) => other.id - one.id)
    const isNewest = (one, index) => newestFirst.findIndex(({ name }) => name === one.name) === index
    return { artifacts: latest ? newestFirst.filter(isNewest) : newestFirst }
  }

  async downloadArtifact(id, { path, expectedHash }) {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'id'), String(id))
    return { digestMismatch: expectedHash === 'of other bytes' }
  }

  async uploadArtifact(name, files, root) {
    console.log(`uploaded ${JSON.stringify({ name, files, root })}`)
    return { id: 1, size: 0 }
  }
}

/** Patterns with stars and braces alone. */
export function minimatch(name, pattern) {
  const words = pattern.replace(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${words.replace(/{([^}]*)}/g, (_, choice) => `(${choice.replaceAll(',', '|')})`)}$`).test(name)
}
