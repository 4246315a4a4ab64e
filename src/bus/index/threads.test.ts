import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../message/message.ts'
import { fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import type { Bus } from '../bus.ts'
import { sendMessage } from '../mail/send.ts'
import { answersTo, readThread } from './threads.ts'

const clock = fixedClock('2026-11-21T03:39:12.123Z')
const bus = () => tempBus(['backend', 'frontend'], clock)

const say = (
  bus: Bus,
  body: string,
  inReplyTo?: Message,
  from = 'backend',
  more: Partial<Message> = {},
) =>
  sendMessage(bus, {
    from,
    to: from === 'backend' ? 'frontend' : 'backend',
    kind: more.kind ?? 'note',
    body,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
  }).message

const bodies = (messages: Message[]) => messages.map(({ body }) => body)

describe('a conversation', () => {
  test('is read whole from any sender, oldest first, also what answers an answer', () => {
    const here = bus()
    const root = say(here, 'one')
    const two = say(here, 'two', root, 'frontend')
    say(here, 'another conversation')
    const three = say(here, 'three', two)
    say(here, 'four', three, 'docs')
    expect(bodies(readThread(here.home, root.id).messages)).toEqual(['one', 'two', 'three', 'four'])
    expect(readThread(here.home, root.id)).toMatchObject({ root: root.id, missing: [] })
  })

  test('says what is no longer in the archive, or cannot be read there', () => {
    const here = bus()
    const root = say(here, 'one')
    const gone = say(here, 'two', root)
    const broken = say(here, 'three', root)
    say(here, 'four', root)
    rmSync(here.home.message(root.id))
    rmSync(here.home.message(gone.id))
    writeFileSync(here.home.message(broken.id), 'no message')
    const thread = readThread(here.home, root.id)
    expect(bodies(thread.messages)).toEqual(['four'])
    expect(thread.missing).toEqual([root.id, gone.id, broken.id])
  })

  test('that is not there has nothing but its missing first message', () => {
    expect(readThread(bus().home, 'none')).toEqual({
      root: 'none',
      messages: [],
      missing: ['none'],
    })
  })
})

describe('the answers to a message', () => {
  test('are those of the one who was asked, in the order in which they were given', () => {
    const here = bus()
    const question = say(here, 'why?', undefined, 'backend', { kind: 'question' })
    const other = say(here, 'and how?', question)
    const first = say(here, 'because', question, 'frontend')
    say(here, 'like this', other, 'frontend')
    say(here, 'nonsense', question, 'docs')
    say(here, 'and more', question, 'frontend')
    say(here, 'to the answer', first, 'frontend')
    expect(bodies(answersTo(here.home, question, 'frontend'))).toEqual(['because', 'and more'])
    expect(bodies(answersTo(here.home, other, 'frontend'))).toEqual(['like this'])
    expect(answersTo(here.home, first, 'backend')).toEqual([])
  })

  test('of a session whose name ends another are that one’s alone', () => {
    const here = bus()
    const question = say(here, 'why?')
    say(here, 'because', question, 'a-frontend')
    expect(answersTo(here.home, question, 'frontend')).toEqual([])
  })

  test('are found when the clock was set back in between', () => {
    const here = bus()
    const question = say(here, 'why?')
    clock.set(clock.now() - 3_600_000)
    // A process that has just started knows of no later time.
    const back = { ...here, clock: fixedClock(new Date(clock.now()).toISOString()) }
    const answer = say(back, 'because', question, 'frontend')
    expect(answer.id < question.id).toBe(true)
    expect(bodies(answersTo(here.home, question, 'frontend'))).toEqual(['because'])
  })

  test('are read from that session’s files alone', () => {
    const here = bus()
    const question = say(here, 'why?')
    const mine = say(here, 'a word of the asker', question)
    say(here, 'because', question, 'frontend')
    // It would be found if it were opened: it says that it answers.
    const text = readFileSync(here.home.message(mine.id), 'utf8').replace(
      'from: backend',
      'from: frontend',
    )
    writeFileSync(here.home.message(mine.id), text)
    expect(bodies(answersTo(here.home, question, 'frontend'))).toEqual(['because'])
  })
})
