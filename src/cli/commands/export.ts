import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exportMessages } from '../../chat/export.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { attachmentsOf } from '../../message/attachment.ts'
import { messageJson } from '../../message/json.ts'
import type { Message } from '../../message/message.ts'
import { fullKindOf } from '../../message/priority.ts'
import { grouped, plural } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import type { NewFile } from '../../system/newFile.ts'
import { addCommand } from '../command.ts'
import { parseDuration } from '../options/argument.ts'
import { outFile } from '../options/out.ts'
import type { Ports } from '../ports.ts'

type ExportOptions = {
  thread?: string
  since?: number
  format?: keyof typeof EXPORT_FORMS
  out?: string
  json?: boolean
}

/** Written at once, in characters. */
const BATCH = 64 * 1024

export function exportCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'export',
    'agent-chat export --since 7d --out week.md\nagent-chat export --thread k7f3m --format json',
  )
    .option('--thread <id>', 'only the conversation of this message')
    .option('--since <age>', 'only messages of this age or newer: 30m, 12h, 2d, 4w', parseDuration)
    .addOption(
      program
        .createOption(
          '--format <format>',
          'markdown, or json (default: by the name of the file, else markdown)',
        )
        .choices(Object.keys(EXPORT_FORMS)),
    )
    .option('--out <path>', 'write to this file; without it, or with -, to standard output')
    .action(async ({ out, ...options }: ExportOptions) => {
      const done = await writeExport(
        out === undefined || out === '-' ? options : { ...options, out },
        ports,
      )
      if (done.out === undefined) return
      ports.print(
        options.json
          ? `${JSON.stringify(done)}\n`
          : `exported ${plural(done.messages, 'message')} to ${done.out}\n`,
      )
    })
}

/**
 * Writes the messages, one after the other, so that an archive of any size can be exported. Nothing
 * of a file is left where it could not be written whole: throws `USAGE` for a path that cannot be
 * one, `FAULT` for a disk that is full.
 */
async function writeExport(
  options: ExportOptions,
  ports: Ports,
): Promise<{ messages: number; out?: string }> {
  const isJson = options.out === undefined ? options.json : options.out.endsWith('.json')
  const form: ExportForm = EXPORT_FORMS[options.format ?? (isJson ? 'json' : 'markdown')]
  const messages = exportMessages({ thread: options.thread, ageMs: options.since }, ports)
  const out = options.out === undefined ? undefined : resolve(ports.cwd, options.out)
  // Before the file is there: an end in between would leave it.
  const pause = out === undefined ? async () => {} : stopper(ports)
  const sink = out === undefined ? outputSink(ports) : outFile(out, 'export')
  try {
    const count = await writeMessages(messages, form, sink, pause)
    sink.finish()
    return { messages: count, ...(out === undefined ? {} : { out }) }
  } catch (error) {
    sink.drop()
    throw error
  }
}

async function writeMessages(
  messages: Iterable<Message>,
  form: ExportForm,
  sink: NewFile,
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
    if (stopped)
      throw new CodedError('INTERRUPTED', 'the export was stopped', { hint: 'run it again' })
  }
}

function outputSink(ports: Pick<Ports, 'print'>): NewFile {
  const write = (text: string) => {
    try {
      ports.print(text)
    } catch (error) {
      if (!isCoded(error, 'FAULT')) throw error
      const hint = 'the printed export is incomplete; with --out, you get the whole file or none'
      throw new CodedError('FAULT', error.message, { hint, cause: error })
    }
  }
  return { write, finish: () => {}, drop: () => {} }
}

/**
 * How an export is written: what stands before the first message, between two, and behind the last.
 */
export type ExportForm = {
  head: string
  message: (message: Message) => string
  between: string
  tail: string
  none: string
}

/** Signs that markdown could take for more than text. */
const MARKUP = /[\\`*_{}[\]<>()#+\-.!|~&$]/g

export const EXPORT_FORMS = {
  markdown: { head: '# Messages\n', message: markdown, between: '', tail: '', none: '\nNone.\n' },
  json: {
    head: '{"messages":[\n',
    message: (message: Message) => JSON.stringify(messageJson(message)),
    between: ',\n',
    tail: '\n]}\n',
    none: '',
  },
} as const satisfies Record<string, ExportForm>

/**
 * A section. The body is quoted line by line, so that nothing in it can pass for another message;
 * its own markdown stays what it is.
 */
function markdown(message: Message): string {
  const { id, from, to, thread, inReplyTo, subject, timestamp, body } = message
  const time = `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
  const facts = [
    `\`${id}\``,
    ...(inReplyTo === undefined ? [] : [`in reply to \`${inReplyTo}\``]),
    ...(thread === id ? [] : [`thread \`${thread}\``]),
  ].join(' · ')
  const attached = attachmentsOf(message).map(
    ({ path, bytes, sha256 }) =>
      `- attached: ${plain(path)} · ${grouped(bytes)} bytes · sha256 \`${sha256}\`\n`,
  )
  const about = subject === undefined ? '' : `**${plain(subject).trim()}**\n\n`
  const quoted = visible(body)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  return `\n## ${time} · @${from} → @${to} · ${fullKindOf(message)}\n\n${facts}\n\n${attached.length === 0 ? '' : `${attached.join('')}\n`}${about}${quoted}\n`
}

function plain(text: string): string {
  return visibleLine(text).replaceAll(MARKUP, '\\$&')
}
