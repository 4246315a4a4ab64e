import type { Dial } from '../bus/remote/peers.ts'
import { CodedError } from '../errors.ts'
import { nameLike, quote } from '../message/name.ts'

/** What ssh may call a machine: a user, a name or an address, or a `Host` of its own config. */
const ADDRESS = /^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9:[\]%][A-Za-z0-9._:[\]%-]*$/

/** A path that the other machine's shell takes as it is. */
const PATH = /^[~A-Za-z0-9_./-]+$/

/** An address for ssh, and what the machine may be called. Throws `USAGE`. */
export function parseTarget(target: string): { address: string; name: string } {
  if (!ADDRESS.test(target) || target.startsWith('-'))
    throw new CodedError('USAGE', `${quote(target)} is not an address for ssh`, {
      hint: 'name it as ssh does, for example: agent-chat link me@build.example.com --peer build',
    })
  const host = target.slice(target.lastIndexOf('@') + 1)
  const first = /^[\d.:[\]]+$/.test(host) ? 'peer' : host.split('.', 1)[0]
  return { address: target, name: nameLike(first ?? '') ?? 'peer' }
}

/**
 * The user's own ssh, with nothing that could ask: a link has nobody to answer. What is behind the
 * address is a line for a shell there, made of checked words alone; a key with a command of its own
 * in authorized_keys runs that instead.
 */
export function sshArgv(
  { address, ssh, there = 'agent-chat' }: Dial,
  me: string,
  env: NodeJS.ProcessEnv,
): { command: [string, ...string[]]; env: NodeJS.ProcessEnv } {
  if (!PATH.test(there))
    throw new CodedError('USAGE', `${quote(there)} is not a path for --there`, {
      hint: "use letters, digits and ~ _ . / -, for example: --there '~/.local/bin/agent-chat'",
    })
  const alive = ['-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3']
  const quiet = ['-T', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', ...alive]
  const line = `${there} link --stdio --peer ${me}`
  return { command: ['ssh', ...ssh, ...quiet, '--', address, line], env }
}
