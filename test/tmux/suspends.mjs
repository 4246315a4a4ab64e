// Stands in for an agent that Ctrl-Z suspends in the way it is told: it shows what it was typed, and once it goes on, that it is back.
const [how = ''] = process.argv.slice(2)

/** @type {Record<string, () => unknown>} */
const WAYS = {
  'SIGTSTP to itself': () => process.kill(process.pid, 'SIGTSTP'),
  'SIGTSTP to its group': () => process.kill(0, 'SIGTSTP'),
  'SIGSTOP to itself': () => process.kill(process.pid, 'SIGSTOP'),
  'SIGSTOP to its group': () => process.kill(0, 'SIGSTOP'),
}
let times = 0

process.stdin.setRawMode(true)
process.on('SIGCONT', () => {
  times += 1
  // A terminal that goes wakes it, too, and SIGHUP ends it then: nothing else may.
  try {
    process.stdin.setRawMode(true)
  } catch {}
  process.stdout.write(`\r\nback ${times}\r\n> `)
})
process.stdin.on('error', () => {})
process.stdout.on('error', () => {})
setInterval(() => {}, 60_000)
process.stdin.on('data', (bytes) => {
  const text = bytes.toString()
  if (text === 'q') process.exit(148)
  if (text !== '\x1a') return process.stdout.write(text)
  process.stdin.setRawMode(false)
  WAYS[how]?.()
})
process.stdout.write('> ')
