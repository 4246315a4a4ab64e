import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { two } from './group.mjs'
import { isMissed, isOver, legend } from './marks.mjs'

/**
 * The results as Markdown, with the machine and the run that they are from.
 * @param {import('./group.mjs').Part[]} parts
 * @param {{ directory: string, command: string, commit: string | undefined }} run where it was measured, how it was asked for, and of which commit
 */
export function renderReport(parts, { directory, command, commit }) {
  const checks = parts.flatMap((part) => part.checks)
  const marks = checks.length > 0 ? ['', legend(checks)] : []
  const made = `${commit === undefined ? '' : `Commit ${commit}; `}\`${command}\`.`
  return [
    machine(directory),
    '',
    made,
    ...marks,
    ...parts.flatMap(({ lines }) => ['', ...lines]),
  ].join('\n')
}

/**
 * The limits that were missed by more than the noise, one line each.
 * @param {import('./group.mjs').Part[]} parts
 */
export function missedLimits(parts) {
  return parts
    .flatMap(({ checks }) => checks)
    .filter(isMissed)
    .map(
      ({ what, summary, limit }) =>
        `${what}: ${two(summary.median)} is over ${limit} (at least ${two(summary.low)} with 95 % confidence)`,
    )
}

/**
 * The limits that are over in the median alone, one line each.
 * @param {import('./group.mjs').Part[]} parts
 */
export function overLimits(parts) {
  return parts
    .flatMap(({ checks }) => checks)
    .filter(isOver)
    .map(
      ({ what, summary, limit }) =>
        `${what}: ${two(summary.median)} is over ${limit} in the median (from ${two(summary.low)} with 95 % confidence)`,
    )
}

/**
 * Puts the report between its two markers in a page, and leaves the rest of the page as it is.
 * @param {string} path
 * @param {string} report
 * @param {string} word the markers' first word
 */
export function writeReport(path, report, word = 'bench') {
  const [begin, end] = [`<!-- ${word}: begin -->`, `<!-- ${word}: end -->`]
  const page = readFileSync(path, 'utf8')
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${path} has no ${begin} … ${end}`)
  writeFileSync(path, `${before}${begin}\n${report}\n${end}${after}`)
}

/** @param {string} directory */
function machine(directory) {
  const day = new Date().toISOString().slice(0, 10)
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${day}, ${type()} ${release()} ${arch()}, ${processors}, ${memory}, ${disk(directory)}; Node ${process.version}, ${tmuxVersion()}.`
}

/** The kind of disk that was measured on: a send on a disk in memory costs another part of a process than one on a slow disk. */
function disk(/** @type {string} */ directory) {
  try {
    return execFileSync('stat', ['-f', '-c', '%T', directory], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  } catch {
    return 'disk unknown'
  }
}

function tmuxVersion() {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
  } catch {
    return 'no tmux'
  }
}
