// Stands for a script that reads what another program prints: runs node with the arguments it is given, and tells on standard output when each line came.
// Times are the monotonic clock's, in nanoseconds: one clock for all processes. Ends, and ends what it runs, with its standard input.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const child = spawn(process.execPath, process.argv.slice(2), {
  stdio: ['ignore', 'pipe', 'inherit'],
})
createInterface({ input: child.stdout }).on('line', () =>
  process.stdout.write(`line ${process.hrtime.bigint()}\n`),
)
// Who waits for a line that cannot come any more is to know.
child.on('exit', () => process.exit())
process.stdin
  .on('end', () => {
    // Ended in any other way, it would say so.
    child.kill('SIGKILL')
    process.exit()
  })
  .resume()
