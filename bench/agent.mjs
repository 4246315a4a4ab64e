// Stands for an agent that is at work: joins under the name it is given, says so, and stays until its standard input ends.
import { runOnce } from './process.mjs'

const [script = '', name = ''] = process.argv.slice(2)
// `CLAUDE_PID` is how the program knows an agent's process.
const { stdout } = runOnce([script, 'join', name], {
  env: { ...process.env, CLAUDE_PID: String(process.pid) },
})
process.stdout.write(stdout)
process.stdin.resume()
