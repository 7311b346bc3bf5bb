// Reads and checks the inputs. Source: src/config.ts of benchmark-action/github-action-benchmark v1.22.0. The release
// has it as dist/src/config.js.

const TOOLS = ['customBiggerIsBetter', 'customSmallerIsBetter'] // those that this stand-in knows

const text = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** getBoolInput: only "true" and "false" are known, and nothing is false. */
function truth(name) {
  const given = text(name)
  if (!['', 'true', 'false'].includes(given)) {
    throw new Error(`'${name}' input must be boolean value 'true' or 'false' but got '${given}'`)
  }
  return given === 'true'
}

/** getPercentageInput: "105%" is 1.05. */
function ratio(name) {
  const given = text(name)
  if (!given.endsWith('%')) throw new Error(`'${name}' input must ends with '%' for percentage value (e.g. '200%')`)
  const percentage = parseFloat(given.slice(0, -1))
  if (Number.isNaN(percentage)) throw new Error(`'${given}' in '${name}' input cannot be parsed as float number`)
  return percentage / 100
}

/** getUintInput and validateMaxItemsInChart: one or more. action.yml: "No limit by default" */
function most(name) {
  const given = text(name)
  if (!given) return Infinity
  if (!/^\d+$/.test(given) || Number(given) === 0) {
    throw new Error(`'${name}' input must be one or more but got '${given}'`)
  }
  return Number(given)
}

/** Returns the inputs. Throws an error where one is not what the action accepts, or what this stand-in cannot do. */
export function readInputs() {
  const tool = text('tool')
  if (!TOOLS.includes(tool)) throw new Error(`Invalid value '${tool}' for 'tool' input. It must be one of ${TOOLS}`)
  if (!text('name')) throw new Error('Name must not be empty')
  if (!truth('skip-fetch-gh-pages')) throw new Error('this stand-in does not fetch: skip-fetch-gh-pages has to be true')
  if (truth('comment-on-alert')) throw new Error('this stand-in posts no comments: comment-on-alert has to be false')
  return {
    name: text('name'),
    tool,
    file: text('output-file-path'),
    branch: text('gh-pages-branch'),
    folder: text('benchmark-data-dir-path'),
    token: text('github-token'),
    ref: text('ref'),
    most: most('max-items-in-chart'),
    threshold: ratio('alert-threshold'),
    failOnAlert: truth('fail-on-alert'),
  }
}
