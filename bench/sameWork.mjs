import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram as run } from './process.mjs'

const BODY = 'GET /tasks is ready: {"items": [...]}\n\n# as it is, "quoted" and $unquoted'

/**
 * Throws unless a way to chat does what both have to: the message stands in the inbox with its fields and its body to the byte, the history tells of it, it is
 * printed once, and afterwards stands in `read/`.
 * @param {import('./seed.mjs').Way} way
 */
export function checkSameWork({ name, home: { root }, env, send, inbox }) {
  const expect = (/** @type {boolean} */ holds, /** @type {string} */ what) => {
    if (!holds) throw new Error(`${name}: ${what}`)
  }
  const read = () => run(inbox, { ...env, AGENT_CHAT_NAME: 'frontend' }).stdout
  run([...send, '@frontend', BODY], { ...env, AGENT_CHAT_NAME: 'backend' })
  const directory = join(root, 'inbox', 'frontend')
  const id = (messagesIn(directory)[0] ?? '').replace(/\.md$/, '')
  expect(messagesIn(directory).join() === `${id}.md`, 'the message is not alone in the inbox')
  const text = readFileSync(join(directory, `${id}.md`), 'utf8')
  for (const field of [`id: ${id}`, 'from: backend', 'to: frontend'])
    expect(text.includes(`\n${field}\n`), `its file has no ${field}`)
  expect(
    /\ntimestamp: "?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"?\n/.test(text),
    'its file has no time',
  )
  expect(text.endsWith(`\n---\n${BODY}\n`), 'its body is another')
  const printed = read()
  expect(printed.split(BODY).length === 2, 'the body was not printed once')
  expect(printed.includes('backend'), 'its sender was not printed')
  expect(messagesIn(directory).length === 0, 'it is unread still')
  expect(messagesIn(join(directory, 'read')).includes(`${id}.md`), 'it is not in read/')
  expect(!read().includes(BODY), 'it was printed again')
  const events = readFileSync(join(root, 'history.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(id))
  expect(
    events.map((line) => JSON.parse(line).event).join() === 'sent,read',
    'the history tells otherwise',
  )
}

/** @param {string} directory */
function messagesIn(directory) {
  return readdirSync(directory).filter((name) => name.endsWith('.md'))
}
