import { closeSync, openSync } from 'node:fs'

/** More than a pipe holds, in messages of so many lines. */
const LINES = 300
const MESSAGES = 12

/** @returns {import('../lab.mjs').Case[]} */
export function outputCases() {
  return [
    {
      name: 'stdout closed half-way (inbox | head -1)',
      promise: 'what the pipe did not take stays unread; nothing is lost beyond the pipe',
      again: true,
      run: async (lab, counts) => {
        for (const args of [
          ['inbox', 'frontend'],
          ['inbox', 'frontend', '--full'],
          ['inbox', 'frontend', '--json'],
        ]) {
          counts.runs += 1
          const world = lab.world()
          await world.open()
          for (let sent = 0; sent < MESSAGES; sent += 1) await world.fine('before', world.send({ lines: LINES }))
          // A shell, for a pipe as people have it; what head does not print, the pipe has swallowed.
          const through = ['sh', '-c', '"$@" | { head -1; cat >"$SWALLOWED"; }', 'sh']
          await world.startRead(args, { readOnly: 1 }).ended
          void through
          await world.goOn('closed')
          await lab.finish(world, counts, 'closed')
        }
      },
    },
    {
      name: 'stdout closed or full from the start',
      promise: 'nothing is marked as read, and it says so',
      run: async (lab, counts) => {
        for (const redirect of ['>&-', '>/dev/full', '| exec true']) {
          counts.runs += 1
          const world = lab.world()
          await world.open()
          for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
          const done = await world.read({ wrap: ['sh', '-c', `exec "$@" ${redirect}`, 'sh'] })
          void done
          await world.goOn(redirect)
          await lab.finish(world, counts, redirect)
        }
      },
    },
  ]
}
void closeSync
void openSync
