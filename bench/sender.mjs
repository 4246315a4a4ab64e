// Sends through the library, or does only what a disk must do for that, until its time is over; says how many it has sent, and in how many milliseconds;
// and how many before that, to warm up.
import { join } from 'node:path'
import { floorSend } from './floor.mjs'
import { loadLibrary } from './library.mjs'

const [library = '', root = '', name = '', what = 'send', ms = '0'] = process.argv.slice(2)
const send = loadLibrary(library).openSender(root, ['frontend'])
const one =
  what === 'send'
    ? () => send(name, 'frontend', 'GET /tasks is ready, with pages of fifty')
    : () => floorSend(join(root, 'messages'), join(root, 'inbox', 'frontend'))

const WARM = 30
for (let number = 0; number < WARM; number += 1) one()

process.stdin.once('data', () => {
  const start = performance.now()
  let count = 0
  for (; performance.now() - start < Number(ms); count += 1) one()
  process.stdout.write(JSON.stringify({ count, warm: WARM, ms: performance.now() - start }))
  process.stdin.destroy()
})
process.stdout.write('ready\n')
