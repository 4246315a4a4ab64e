import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unless } from './errno.ts'
import { temporaryDirectory } from './machine.ts'
import type { Ended } from './signals.ts'

/** A text that a person is editing: the file that holds it, which stays until it is dropped. */
export type EditedFile = { path: string; read: () => string; drop: () => void }

/** Puts a text into a file of its own, which only this user can read, for an editor. */
export function editableFile(name: string, text: string): EditedFile {
  const path = join(mkdtempSync(join(temporaryDirectory(), 'agent-chat-')), name)
  writeFileSync(path, text, { mode: 0o600 })
  return {
    path,
    // An editor may have removed the file.
    read: () => unless(['ENOENT'], () => readFileSync(path, 'utf8')) ?? '',
    drop: () => rmSync(dirname(path), { recursive: true, force: true }),
  }
}

/**
 * Opens a file in an editor in this terminal, and waits until it has ended. `command` is what the
 * user has set for a shell to read, with arguments perhaps and with quotes, as git runs it; the
 * path is never part of what the shell reads. Rejects where there is no shell.
 */
export async function runEditor(
  command: string,
  path: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Ended> {
  // Keys that end programs are for the editor: it is in front.
  const ignore = () => {}
  for (const signal of KEYS) process.on(signal, ignore)
  try {
    // Its library costs a start-up that a `send` without an editor need not pay.
    const { startHere } = await import('./start.ts')
    return await startHere(['sh', '-c', `${command} "$@"`, command, path], { env, cwd }).ended
  } finally {
    for (const signal of KEYS) process.off(signal, ignore)
  }
}

const KEYS: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
