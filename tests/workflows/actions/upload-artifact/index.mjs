// Source: src/upload/upload-artifact.ts of actions/upload-artifact v7.0.0.
import { ArtifactNotFoundError, DefaultArtifactClient } from '@actions/artifact'
import { filesToUpload } from './files.mjs'

const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

async function main() {
  const missing = input('if-no-files-found')
  if (!['warn', 'error'].includes(missing)) throw new Error(`if-no-files-found is ${missing}: this stand-in does not know it`)
  const { files, root } = filesToUpload(input('path'))
  if (files.length === 0) {
    // action.yml, `if-no-files-found`: a warning by default, and there is no artifact then.
    const message = `No files were found with the provided path: ${input('path')}. No artifacts will be uploaded.`
    if (missing === 'error') throw new Error(message)
    console.log(`::warning::${message}`)
    return
  }
  const client = new DefaultArtifactClient()
  if (input('overwrite') === 'true') {
    // An artifact of that name is deleted first, and it does not matter if there is none (deleteArtifactIfExists).
    await client.deleteArtifact(input('name')).catch(error => {
      if (!(error instanceof ArtifactNotFoundError)) throw error
    })
  }
  // The client refuses names with characters that a file system may not know (path-and-artifact-name-validation.ts).
  const { id, size } = await client.uploadArtifact(input('name'), files, root)
  console.log(`artifact ${input('name')} has id ${id} and ${size} bytes of ${files.length} files`)
}

main().catch(error => {
  console.log(`::error::${error.message}`)
  process.exitCode = 1
})
