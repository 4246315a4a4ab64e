import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numbersIn } from '../body.mjs'

/** Messages of so many lines, of which all but a few are more than a pipe holds. */
const LINES = 100
const MESSAGES = 16

/** What a pipe takes and nobody reads: what Linux gives it, and the piece that a program reads at once. In bytes. */
const PIPE_BYTES = 65_536 + 8_192

/** @returns {import('../lab.mjs').Case[]} */
export function outputCases() {
  return [
    {
      name: 'stdout closed half-way, as by head -1',
      promise: 'what the pipe took is printed (64 KB at most); the rest stays unread, and is shown once',
      run: async (lab, counts) => {
        for (const args of [
          ['inbox', 'frontend'],
          ['inbox', 'frontend', '--full'],
          ['inbox', 'frontend', '--json'],
        ])
          await closedAfter('{ head -1; }', args, lab, counts)
        // Reads far into the messages, and then no more.
        await closedAfter('{ head -c 100000; }', ['inbox', 'frontend', '--full'], lab, counts)
      },
    },
    {
      name: 'stdout full, or closed before the first byte',
      promise: 'nothing is marked as read; a full disk is named',
      run: async (lab, counts) => {
        for (const redirect of ['> /dev/full', '| true']) {
          counts.runs += 1
          const world = lab.world()
          await world.open()
          for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
          await world.read({ wrap: ['sh', '-c', `"$@" ${redirect}`, 'sh'] })
          const read = readOf(world)
          if (read.length > 0) world.wrong.push(`inbox ${redirect}: ${read.length} were marked as read`)
          await world.goOn(redirect)
          await lab.finish(world, counts, redirect)
        }
      },
    },
  ]
}

/**
 * What is behind the pipe keeps all that it takes: what it did not take must be unread.
 * @param {string} reader
 * @param {string[]} args
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function closedAfter(reader, args, lab, counts) {
  counts.runs += 1
  const world = lab.world()
  await world.open()
  for (let sent = 0; sent < MESSAGES; sent += 1) await world.fine('before', world.send({ lines: LINES }))
  await world.startRead(args, { wrap: ['sh', '-c', `"$@" | ${reader}`, 'sh'] }).ended
  noteTaken(world)
  await world.goOn('closed')
  await lab.finish(world, counts, 'closed')
}

/**
 * What is marked as read went into the pipe, as far as it fits there behind what was read from it.
 * @param {import('../world.mjs').World} world
 */
function noteTaken(world) {
  const seen = world.shown.at(-1)
  const output = world.runs.at(-1)?.stdout.length ?? 0
  const texts = readOf(world)
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  if (bytes > output + PIPE_BYTES)
    world.wrong.push(`${bytes} bytes were marked as read, and ${output} were read from the pipe`)
  else if (seen) seen.whole = texts.flatMap((text) => numbersIn(text).whole)
  if (seen) Object.assign(seen, { part: [], fine: true })
}

/** The messages that are marked as read. @param {import('../world.mjs').World} world */
function readOf({ home }) {
  const read = join(home, 'inbox', 'frontend', 'read')
  return existsSync(read) ? readdirSync(read).map((file) => readFileSync(join(read, file), 'utf8')) : []
}
