// Stands in for an agent: writes what reached it into a file, shows its input box, and stays.
import { renameSync, writeFileSync } from 'node:fs'

const [file = '', ...args] = process.argv.slice(2)
writeFileSync(
  `${file}.tmp`,
  JSON.stringify({ args, cwd: process.cwd(), env: process.env, pid: process.pid }),
)
renameSync(`${file}.tmp`, file)
process.stdout.write('> ')
setInterval(() => {}, 60_000)
