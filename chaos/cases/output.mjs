import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, numbersIn } from '../body.mjs'

/** Messages of so many lines, of which all but a few are more than a pipe holds. */
const LINES = 100
const MESSAGES = 16

/** What a pipe takes and nobody reads, on Linux. In bytes. */
const PIPE_BYTES = 65_536

/** Readers that take no byte more than they give: one line, and so many bytes; the second one waits until the pipe is full behind that. */
const ONE_LINE = `{ IFS= read -r line; printf '%s\\n' "$line"; }`
const FAR = '{ head -c 20000; sleep 1; }'

/** @returns {import('../lab.mjs').Case[]} */
export function outputCases() {
  return [
    {
      name: 'stdout closed half-way, as by head -1',
      promise:
        'what the pipe took is printed (64 KB at most); the rest stays unread, and is shown once',
      run: async (lab, counts) => {
        await closedAfter(ONE_LINE, ['inbox', 'frontend'], lab, counts)
        await closedAfter(ONE_LINE, ['inbox', 'frontend', '--full'], lab, counts)
        await closedAfter(FAR, ['inbox', 'frontend', '--full'], lab, counts)
        // All of it is one line.
        await closedAfter(FAR, ['inbox', 'frontend', '--json'], lab, counts)
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
          if (read.length > 0)
            world.wrong.push(`inbox ${redirect}: ${read.length} were marked as read`)
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
  for (let sent = 0; sent < MESSAGES; sent += 1)
    await world.fine('before', world.send({ lines: LINES }))
  await world.startRead(args, { wrap: ['sh', '-c', `"$@" | ${reader}`, 'sh'] }).ended
  noteTaken(world)
  await world.goOn('closed')
  await lab.finish(world, counts, 'closed')
}

/**
 * What is marked as read went into the pipe, as far as it fits there behind what was read from it, and in its order; it counts as shown. What was read whole is
 * shown too, whether it is marked or not. One message may be cut, the last.
 * @param {import('../world.mjs').World} world
 */
function noteTaken(world) {
  const seen = world.shown.at(-1)
  const output = Buffer.byteLength(world.runs.at(-1)?.stdout ?? '')
  const marked = readOf(world)
    .flatMap((text) => numbersIn(text).whole)
    .sort((a, b) => a - b)
  const bytes = marked.reduce((sum, number) => sum + bodyOf(number, LINES).length, 0)
  if (bytes > output + PIPE_BYTES)
    world.wrong.push(`${bytes} bytes were marked as read, and ${output} were read from the pipe`)
  if (marked.some((number, at) => number !== at + 1))
    world.wrong.push(`out of their order: ${marked.join(', ')}`)
  if (marked.length === MESSAGES)
    world.wrong.push(
      `the output was not cut: all ${bytes} bytes are marked, of which ${output} were read`,
    )
  const { whole = [], part = [] } = seen ?? {}
  if (part.length > 1 || part.some((number) => number !== whole.length + 1))
    world.wrong.push(`more than the last message is cut: ${part.join(', ')}`)
  if (seen)
    Object.assign(seen, { whole: [...new Set([...whole, ...marked])], part: [], fine: true })
}

/** The messages that are marked as read. @param {import('../world.mjs').World} world */
function readOf({ home }) {
  const read = join(home, 'inbox', 'frontend', 'read')
  return existsSync(read)
    ? readdirSync(read).map((file) => readFileSync(join(read, file), 'utf8'))
    : []
}
