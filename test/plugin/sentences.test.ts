import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { handoverTemplate } from '../../src/message/handover.ts'
import { shortId } from '../../src/message/shortId.ts'
import { ROOT, runCli } from '../../src/testing/cli.ts'
import { tempBus, tempDirectory } from '../../src/testing/home.ts'

/** The rows of the skill's table: what the user says, and the first command beside it. */
const SKILL = readFileSync(join(ROOT, 'skills/agent-chat/SKILL.md'), 'utf8')
const SAID = [...SKILL.matchAll(/^\| "([^"]+)" \| `agent-chat ([^`]+)`/gm)].map(
  ([, said = '', line = '']) => ({ said, line }),
)

const AUTHOR = ['-c', 'user.name=docs', '-c', 'user.email=docs@localhost']

/** What each sentence comes to, and the kind of the message that its id is of. */
const COMES_TO: Record<string, { of?: 'question' | 'task'; out: RegExp }> = {
  'tell frontend that the API is ready': { out: /^sent \w+ to @frontend\n/ },
  'when the tests pass, hand over to infra': { out: /^sent \w+ to @infra\n/ },
  'ask backend whether amount is a string': { out: /^sent \w+ to @backend\n/ },
  'give frontend the task to page the list': { out: /^sent \w+ to @frontend\n/ },
  'what is new?': { out: /unread message/ },
  'answer that it is': { of: 'question', out: /^sent \w+ to @backend\n/ },
  'tell them that the task is done': { of: 'task', out: /^done: / },
  'I am away: let me choose the format later': { out: /^sent \w+ to @human\n/ },
  'what did backend say about amount?': { of: 'question', out: /amount/ },
  'what is frontend doing?': { out: /^@frontend\n/ },
}

test('the skill has a command for each of ten sentences', () => {
  expect(SAID.map(({ said }) => said)).toEqual(Object.keys(COMES_TO))
})

test.each(SAID)('"$said": agent-chat $line', async ({ said, line }) => {
  const bus = tempBus(['docs', 'backend', 'frontend', 'infra'])
  const comesTo = COMES_TO[said]
  const draft = {
    from: 'backend',
    to: 'docs',
    kind: comesTo?.of ?? 'note',
    body: 'Is amount a string?',
  }
  const { id } = sendMessage(bus, draft).message
  const cwd = tempDirectory()
  for (const args of [
    ['init', '-q'],
    [...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'begun'],
  ])
    execFileSync('git', args, { cwd })
  const text = handoverTemplate('docs').replaceAll(/^- .*$/gm, '- GET /tasks is ready')
  writeFileSync(join(cwd, 'handover.md'), text)
  const words = wordsOf(line).map((word) => word.replace('<id>', shortId(id)))
  // Nobody answers here, and the answer comes as a message.
  const args = words[0] === 'ask' ? [...words, '--no-wait'] : words
  const run = await runCli(args, { home: bus.home.root, cwd, env: { AGENT_CHAT_NAME: 'docs' } })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(comesTo?.out ?? 'nothing') })
})

/** The words of a line as a shell reads them, which has none but single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare)
}
