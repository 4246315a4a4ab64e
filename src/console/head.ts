import { existsSync } from 'node:fs'
import { questionsNow } from '../chat/live/questions.ts'
import { createThrottle } from '../system/throttle.ts'
import { peopleNow } from './people.ts'
import type { Ports } from './ports.ts'
import type { Store } from './store.ts'
import type { Waiting } from './waiting.ts'

/** Who is here and what waits for the human, made anew when asked for, but not too often. */
export type Head = { people: () => void; questions: () => void; close: () => void }

/** The least time between two looks. In milliseconds. */
const PEOPLE_MS = 1000
const QUESTIONS_MS = 300

export function openHead(
  ports: Pick<Ports, 'bus' | 'env' | 'tmux'>,
  store: Store,
  waiting: Waiting,
  fault: (error: unknown) => void,
): Head {
  const bus = ports.bus()
  const lookAround = async () => {
    const people = await peopleNow(ports)
    const paused = existsSync(bus.home.paused)
    store.update((room) => (same(room, { people, paused }) ? room : { ...room, people, paused }))
    for (const { text, about } of waiting.look()) store.tell('event', text, about)
  }
  const lookForQuestions = () => {
    const questions = questionsNow(bus).map(({ question }) => question)
    store.update((room) => (same(room, { questions }) ? room : { ...room, questions }))
  }
  const people = createThrottle(lookAround, PEOPLE_MS, fault)
  const questions = createThrottle(lookForQuestions, QUESTIONS_MS, fault)
  return {
    people: people.ask,
    questions: questions.ask,
    close: () => {
      people.close()
      questions.close()
    },
  }
}

/** Whether a look has found what is known: then nothing is drawn. */
function same<T extends object>(known: T, found: Partial<T>): boolean {
  return Object.entries(found).every(
    ([key, value]) => JSON.stringify(known[key as keyof T]) === JSON.stringify(value),
  )
}
