import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** So long the last answers may take when nothing is killed any more. In milliseconds. */
const LAST_MS = 60_000

/** The stand-in's answer to a prompt that says that it was interrupted. */
const AGAIN = 'finished after the interruption'

/**
 * Waits for what is still on its way, and counts the answers to each ask.
 * @param {import('./place.mjs').Place} place
 * @param {Map<string, string>} asked by word: who was asked
 */
export async function judgeAnswers({ home, client }, asked) {
  const until = performance.now() + LAST_MS
  for (;;) {
    const messages = messagesIn(join(home, 'messages'))
    const judged = countAnswers(
      messages,
      asked,
      readdirSync(join(home, 'inbox', 'human', 'read')).concat(
        readdirSync(join(home, 'inbox', 'human')),
      ),
    )
    if (judged.open === 0 || performance.now() > until) {
      const prompts = readFileSync(join(client, 'prompts'), 'utf8').trim().split('\n').length
      return { ...judged, prompts }
    }
    await pause(200)
  }
}

/**
 * What became of each ask: one right answer, said to its sender once.
 * @param {Message[]} messages
 * @param {Map<string, string>} asked
 * @param {string[]} delivered the files of the asker's inbox, read or not
 */
export function countAnswers(messages, asked, delivered) {
  /** @type {Map<string, Message[]>} */
  const answers = new Map()
  for (const message of messages) {
    if (!message.answers) continue
    answers.set(message.answers, [...(answers.get(message.answers) ?? []), message])
  }
  const asks = new Map(
    messages.flatMap((one) =>
      one.kind === 'question' ? [[one.body.replace(/^.*SAY /, ''), one]] : [],
    ),
  )
  let [once, open, gaveUp, again] = [0, 0, 0, 0]
  const wrong = [...asked].flatMap(([word, name]) => {
    const ask = asks.get(word)
    if (!ask) return [`${word}: was never sent`]
    const those = answers.get(ask.id) ?? []
    const [answer] = those
    if (!answer) {
      open += 1
      return [`${word}: has no answer`]
    }
    if (those.length > 1) return [`${word}: has ${those.length} answers`]
    if (answer.from !== name) return [`${word}: @${answer.from} has answered`]
    const times = delivered.filter((file) => file === `${answer.id}.md`).length
    if (times !== 1) return [`${word}: its answer was delivered ${times} times`]
    if (answer.failed) gaveUp += 1
    else if (answer.body === AGAIN) again += 1
    else if (answer.body !== word) return [`${word}: the answer is ${answer.body}`]
    once += 1
    return []
  })
  return { once, open, gaveUp, again, wrong }
}

/** @typedef {{ id: string, from: string, kind: string, answers: string | undefined, failed: boolean, body: string }} Message */

/** @param {string} folder @returns {Message[]} */
function messagesIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.map((file) => {
    const [, head = '', ...rest] = readFileSync(join(folder, file), 'utf8').split(/^---$/m)
    const field = (/** @type {string} */ name) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1]
    return {
      id: field('id') ?? '',
      from: field('from') ?? '',
      kind: field('kind') ?? '',
      answers: field('in_reply_to'),
      failed: field('failed') !== undefined,
      body: rest.join('---').trim(),
    }
  })
}
