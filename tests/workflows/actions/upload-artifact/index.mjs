// Sources: src/upload/upload-artifact.ts and input-helper.ts of actions/upload-artifact v7.0.0.
import { DefaultArtifactClient } from '@actions/artifact'
import { filesToUpload } from './files.mjs'

const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** What is printed before a message about missing files, by the input if-no-files-found. */
const PREFIXES = { warn: '::warning::', error: '::error::', ignore: '' }

async function main() {
  const wanted = input('if-no-files-found')
  if (!Object.hasOwn(PREFIXES, wanted)) throw new Error(`Unrecognized if-no-files-found input. Provided: ${wanted}`)
  const { files, root } = filesToUpload(input('path'))
  if (files.length === 0) {
    // action.yml, `if-no-files-found`: a warning by default; only "error" fails the action. There is no artifact then.
    const missing = `No files were found with the provided path: ${input('path')}. No artifacts will be uploaded.`
    console.log(PREFIXES[wanted] + missing)
    process.exitCode = wanted === 'error' ? 1 : 0
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
