// Source: src/upload/upload-artifact.ts of actions/upload-artifact v7.0.0.
import { DefaultArtifactClient } from '@actions/artifact'
import { filesToUpload } from './files.mjs'

const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

async function main() {
  if (input('if-no-files-found') !== 'warn') throw new Error('this stand-in only warns of missing files')
  const { files, root } = filesToUpload(input('path'))
  if (files.length === 0) {
    // action.yml, `if-no-files-found`: a warning by default, and there is no artifact then.
    console.log(`::warning::No files were found with the provided path: ${input('path')}. No artifacts will be uploaded.`)
    return
  }
  // The client refuses names with characters that a file system may not know (path-and-artifact-name-validation.ts).
  const { id, size } = await new DefaultArtifactClient().uploadArtifact(input('name'), files, root)
  console.log(`artifact ${input('name')} has id ${id} and ${size} bytes of ${files.length} files`)
}

main().catch(error => {
  console.log(`::error::${error.message}`)
  process.exitCode = 1
})
