// Runs inside a tmux pane and stands for an agent: an input line, in raw mode. Tells the benchmark, over a socket, when the first
// byte of each line came and when its Enter came. Times are the monotonic clock's, in nanoseconds: one clock for all processes.
import { connect } from 'node:net'

const socket = connect(process.argv[2] ?? '')
const tell = (/** @type {string} */ what) => socket.write(`${what} ${process.hrtime.bigint()}\n`)
let line = ''

process.stdin.setRawMode(true)
process.stdin.on('data', (bytes) => {
  if (line === '') tell('first')
  for (const char of bytes.toString()) {
    if (char !== '\r') {
      line += char
      process.stdout.write(char)
      continue
    }
    tell('enter')
    line = ''
    process.stdout.write('\r\x1b[K> ')
  }
})
process.stdout.write('> ')
socket.on('connect', () => tell('ready'))
socket.on('close', () => process.exit())
