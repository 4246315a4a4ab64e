import { systemBus } from './bus/open.ts'
import { runHook } from './hooks/main.ts'
import { readStdin, writeOut } from './system/terminal.ts'

/** The longest payload that is read: a prompt or a tool's answer may be long, and none of its end is needed. */
const MAX_PAYLOAD = 4 * 1024 * 1024

const reply = runHook(process.argv[2], () => readStdin(MAX_PAYLOAD).toString('utf8'), {
  env: process.env,
  bus: () => systemBus(process.env),
})
if (reply.stdout !== undefined) writeOut(1, reply.stdout)
if (reply.stderr !== undefined) writeOut(2, reply.stderr)
process.exitCode = reply.exit ?? 0
