import { join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { systemBus } from '../bus/bus.ts'
import { afterReply, HOOKS, runHook } from '../hooks/main.ts'
import { readStdin, writeOut } from '../system/terminal.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = Object.keys(HOOKS)

/**
 * The longest payload that is read: a prompt or a tool's answer may be long, and none of its end is
 * needed.
 */
const MAX_PAYLOAD = 4 * 1024 * 1024

let bus: Bus | undefined
const ports = {
  env: process.env,
  self: { node: process.execPath, script: join(__dirname, 'main.js') },
  bus: () => {
    bus ??= systemBus(process.env)
    return bus
  },
}
const word = process.argv[2]
const reply = runHook(word, () => readStdin(MAX_PAYLOAD).toString('utf8'), ports)
try {
  if (reply.stdout !== undefined) writeOut(1, reply.stdout)
  if (reply.stderr !== undefined) writeOut(2, reply.stderr)
  afterReply(word, reply, ports)
  // All is written and nothing is under way: what Node takes down by itself, the system does
  // faster.
  process.exit(reply.exit ?? 0)
} catch {
  // Nobody takes the answer any more: then nothing was presented either.
}
