import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isErrno } from './errno.ts'
import { temporaryDirectory } from './machine.ts'
import { type Ended, spawnHere } from './spawn.ts'

/** A text that a person is editing: the file that holds it, which stays until it is dropped. */
export type EditedFile = { path: string; read: () => string; drop: () => void }

/** Puts a text into a file of its own, which only this user can read, for an editor. */
export function editableFile(name: string, text: string): EditedFile {
  const path = join(mkdtempSync(join(temporaryDirectory(), 'agent-chat-')), name)
  writeFileSync(path, text, { mode: 0o600 })
  return {
    path,
    read: () => readText(path),
    drop: () => rmSync(dirname(path), { recursive: true, force: true }),
  }
}

/**
 * Opens a file in an editor in this terminal, and waits until it has ended. `command` is what the user has set for a shell to read, with arguments perhaps and with
 * quotes, as git runs it; the path is never part of what the shell reads. Rejects where there is no shell.
 */
export async function runEditor(command: string, path: string, env: NodeJS.ProcessEnv, cwd: string): Promise<Ended> {
  // Keys that end programs are for the editor: it is in front.
  const ignore = () => {}
  for (const signal of KEYS) process.on(signal, ignore)
  try {
    return await spawnHere(['sh', '-c', `${command} "$@"`, command, path], env, cwd).ended
  } finally {
    for (const signal of KEYS) process.off(signal, ignore)
  }
}

const KEYS: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** An editor may have removed the file. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return ''
    throw error
  }
}
