import type { Command } from 'commander'
import { type Asked, ask, askedJson, resumeAsk } from '../../chat/ask/ask.ts'
import { endError } from '../../chat/ask/askEnd.ts'
import { CodedError } from '../../errors.ts'
import { addCommand } from '../command.ts'
import { parseSeconds } from '../options/argument.ts'
import { readBody } from '../options/body.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../options/priority.ts'
import type { Ports } from '../ports.ts'
import { renderAnswerFoot, renderMessage } from '../render/message.ts'
import { openLine } from '../render/statusLine.ts'

type AskFlags = PriorityFlags & {
  file?: string
  resume?: string
  timeout: number
  wait: boolean
  from?: string
  json?: boolean
}

const ENDS = `
Ends, with the word for them in --json:
  answered     the answer is printed, and read                      exit 0
  idle         with --no-wait: it ended its turn without answering  exit 5
  asking       with --no-wait: its user has a dialog open           exit 5
  gone         it left, or its agent has ended                      exit 4
  timed out    no answer in that time                               exit 5
  interrupted  you pressed Ctrl-C                                   exit 130
Without an answer the question stands, and a later answer comes as a message.`

export function askCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'ask',
    'agent-chat ask @backend "Is amount a string on purpose?" --timeout 120\nagent-chat ask --resume 20261121T033912',
  )
    .argument('[recipient]', 'a session, as @name')
    .argument('[question...]', 'the question; - reads it from standard input')
    .option('--timeout <seconds>', 'how long to wait for the answer', parseSeconds, 300)
    .option(
      '--no-wait',
      'end as soon as the other side is idle without an answer, or its user has a dialog open',
    )
    .option('--resume <id>', 'wait again for the answer to a question that was asked before')
    .option('--file <path>', 'read the question from a file')
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .addHelpText('after', ENDS)
    .action(async (recipient: string | undefined, words: string[], flags: AskFlags) => {
      const asked = await askOrResume(recipient, words, flags, ports)
      if (asked.outcome !== 'answered') throw endError(asked.question, asked, flags.timeout)
    })
}

async function askOrResume(
  recipient: string | undefined,
  words: string[],
  flags: AskFlags,
  ports: Ports,
): Promise<Asked> {
  const priority = priorityFrom(flags)
  const line = await openLine(ports)
  const wait = {
    timeoutMs: flags.timeout * 1000,
    patient: flags.wait,
    onLook: line.show,
    show: (asked: Asked) => {
      line.close()
      print(asked, flags, ports)
    },
  }
  const content = async (_: string, to: string) => ({
    body: await readBody(
      { ...flags, words },
      ports,
      `agent-chat ask @${to} "what you want to know"`,
    ),
  })
  try {
    if (flags.resume !== undefined) {
      requireNothingNew(recipient, flags)
      return await resumeAsk(flags.resume, flags.from, wait, ports)
    }
    if (recipient === undefined) {
      throw new CodedError('USAGE', 'nobody is asked', {
        hint: 'agent-chat ask @name "the question", or --resume <id>',
      })
    }
    return await ask({ recipient, from: flags.from, priority }, content, wait, ports)
  } finally {
    line.close()
  }
}

function requireNothingNew(recipient: string | undefined, flags: AskFlags): void {
  if (recipient === undefined && flags.file === undefined && !flags.urgent && !flags.quiet) return
  throw new CodedError('USAGE', '--resume asks nothing new', {
    hint: 'leave the rest out: agent-chat ask --resume <id>',
  })
}

/** Prints an answer, or, with `--json`, what came of the question in any case. */
function print(asked: Asked, { json }: AskFlags, ports: Ports): void {
  if (json) ports.print(`${JSON.stringify(askedJson(asked))}\n`)
  else if (asked.outcome === 'answered') {
    const { answer, question } = asked
    const text = renderMessage(answer, ports.bus().clock.now()).trimStart()
    ports.print(`${text}${renderAnswerFoot(answer, question.from)}`)
  }
}
