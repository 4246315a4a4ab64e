import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readMessageFile } from '../../bus/inbox.ts'
import { idOfMessageFile, messagePlaces } from '../../bus/searchPlaces.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { parseId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { visibleLine } from '../../message/visible.ts'
import { isErrno } from '../../system/errno.ts'
import { beginFile } from '../../system/newFile.ts'
import { parseAge } from '../argument.ts'
import { addCommand } from '../command.ts'
import { EXPORT_FORMS, type ExportForm } from '../exportText.ts'
import type { Ports } from '../ports.ts'
import { plural } from '../render/text.ts'
import { runThread } from './thread.ts'

/** `since` is an age in milliseconds. */
export type ExportOptions = {
  thread?: string
  since?: number
  format?: keyof typeof EXPORT_FORMS
  out?: string
  json?: boolean
}

type ExportPorts = Pick<Ports, 'bus' | 'env' | 'cwd' | 'print' | 'say' | 'onStop'>

/** Where an export goes. */
type Sink = { write: (text: string) => void; finish: () => void; drop: () => void }

/** Written at once, in characters. */
const BATCH = 64 * 1024

/** Errors of the disk, not of the path that was given. */
const DISK = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']

export function exportCommand(program: Command, ports: Ports, run = runExport): void {
  addCommand(
    program,
    'export',
    'messages as one markdown or JSON file, oldest first',
    'agent-chat export --since 7d --out week.md\nagent-chat export --thread 20261121T033912 --format json',
  )
    .option('--thread <id>', 'only the conversation of this message')
    .option('--since <age>', 'only messages that are no older: 30m, 12h, 2d, 4w', parseAge)
    .addOption(
      program.createOption('--format <format>', 'markdown (default), or json').choices(Object.keys(EXPORT_FORMS)),
    )
    .option('--out <path>', 'write to this file, which appears when it is whole; else, or with -, to standard output')
    .action(async ({ out, ...options }: ExportOptions) => {
      const done = await run(out === undefined || out === '-' ? options : { ...options, out }, ports)
      if (done.out === undefined) return
      ports.print(
        options.json ? `${JSON.stringify(done)}\n` : `exported ${plural(done.messages, 'message')} to ${done.out}\n`,
      )
    })
}

/**
 * Writes the messages, one after the other, so that an archive of any size can be exported. Nothing of a file is left where it could not be written
 * whole: throws `USAGE` for a path that cannot be one, `FAULT` for a disk that is full.
 */
export async function runExport(
  options: ExportOptions,
  ports: ExportPorts,
): Promise<{ messages: number; out?: string }> {
  const form: ExportForm =
    EXPORT_FORMS[options.format ?? (options.json && options.out === undefined ? 'json' : 'markdown')]
  const messages = chosen(options, ports)
  const out = options.out === undefined ? undefined : resolve(ports.cwd, options.out)
  // Before the file is there: an end in between would leave it.
  const pause = out === undefined ? async () => {} : stopper(ports)
  const sink = out === undefined ? outputSink(ports) : openFile(out)
  try {
    const count = await writeMessages(messages, form, sink, pause)
    sink.finish()
    return { messages: count, ...(out === undefined ? {} : { out }) }
  } catch (error) {
    sink.drop()
    throw out === undefined ? error : fileError(out, error)
  }
}

/** The messages that were asked for, in the order of their ids. */
function chosen(options: ExportOptions, ports: ExportPorts): Iterable<Message> {
  const { clock } = ports.bus()
  const since = options.since === undefined ? Number.NEGATIVE_INFINITY : clock.now() - options.since
  if (options.thread === undefined) return allMessages(since, ports)
  const { messages, missing } = runThread(options.thread, ports)
  for (const id of missing) ports.say(`agent-chat: a message of this conversation is no longer in the archive: ${id}`)
  return messages.filter(({ timestamp }) => Date.parse(timestamp) >= since)
}

function* allMessages(since: number, ports: ExportPorts): Generator<Message> {
  const { home } = ports.bus()
  const { archived, elsewhere } = messagePlaces(home)
  for (const file of [...archived, ...elsewhere.keys()].sort()) {
    const id = idOfMessageFile(file)
    // The program's own ids tell their time: older messages are not opened.
    const micros = id === undefined ? undefined : parseId(id)?.micros
    if (id === undefined || (micros !== undefined && micros / 1000 < since)) continue
    const path = elsewhere.get(file) ?? home.message(id)
    const message = readMessageFile(path, file, home)
    if (typeof message === 'string')
      ports.say(`agent-chat: ${visibleLine(path)} is no message (${message}); it is not exported`)
    if (typeof message === 'object' && Date.parse(message.timestamp) >= since) yield message
  }
}

async function writeMessages(
  messages: Iterable<Message>,
  form: ExportForm,
  sink: Sink,
  pause: () => Promise<void>,
): Promise<number> {
  let count = 0
  let text = form.head
  for (const message of messages) {
    text += `${count === 0 ? '' : form.between}${form.message(message)}`
    count += 1
    if (text.length < BATCH) continue
    sink.write(text)
    text = ''
    await pause()
  }
  sink.write(`${text}${count === 0 ? form.none : ''}${form.tail}`)
  return count
}

/** Lets signals in; throws where one asked for the end, so that no half of a file is left. */
function stopper(ports: Pick<Ports, 'onStop'>): () => Promise<void> {
  let stopped = false
  ports.onStop(() => {
    stopped = true
  })
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    if (stopped) throw new CodedError('INTERRUPTED', 'the export was stopped', { hint: 'run it again' })
  }
}

function outputSink(ports: Pick<Ports, 'print'>): Sink {
  const write = (text: string) => {
    try {
      ports.print(text)
    } catch (error) {
      if (!isCoded(error, 'FAULT')) throw error
      const hint = 'what was printed is not the whole export; --out leaves no half of a file'
      throw new CodedError('FAULT', error.message, { hint, cause: error })
    }
  }
  return { write, finish: () => {}, drop: () => {} }
}

function openFile(out: string): Sink {
  try {
    return beginFile(out)
  } catch (error) {
    throw fileError(out, error)
  }
}

function fileError(out: string, error: unknown): unknown {
  if (isErrno(error, ...DISK)) {
    return new CodedError('FAULT', `the export could not be written to ${out} (${error.code})`, {
      hint: 'make room, or give another place with --out: nothing of it was left behind',
      cause: error,
    })
  }
  if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP')) return error
  const why = error.code === 'EEXIST' ? 'it is not a plain file' : error.code
  return new CodedError('USAGE', `the export cannot be written to ${out} (${why})`, {
    hint: 'give the path of a file, in a directory of yours that is there; or leave --out away for standard output',
    cause: error,
  })
}
