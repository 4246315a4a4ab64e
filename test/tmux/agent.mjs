// Stands in for an agent in a pane: an input line behind `❯ `, in raw mode. Each piece that its terminal gives it goes to the file that
// it is given, as one line of JSON; Enter hands the line in. Ctrl-U empties the line.
import { appendFileSync } from 'node:fs'

const [log = ''] = process.argv.slice(2)
let line = ''

process.stdin.setRawMode(true)
process.stdin.on('data', (bytes) => {
  const piece = bytes.toString()
  appendFileSync(log, `${JSON.stringify(piece)}\n`)
  if (piece === '\r') process.stdout.write('\r\x1b[K')
  line = piece === '\r' || piece === '\x15' ? '' : line + piece
  process.stdout.write(`\r\x1b[K❯ ${line}`)
})
process.stdout.write('❯ ')
