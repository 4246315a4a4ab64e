import { useState } from 'preact/hooks'
import { type Need, needRow, REASONS } from '../../feed/need.ts'
import { api, newKey, type Refused } from './api.ts'
import { Name } from './name.tsx'
import { type Answered, answer, placeOf, restarts } from './state.ts'
import type { Store } from './store.ts'
import { ago } from './time.ts'

type Props = {
  cards: Need[]
  answered: Answered[]
  ready: boolean
  store: Store
  time: number
  open: (id: string) => void
}

/** So long an answered card stays where it was: the next one does not come under the pointer. */
const STAYS_MS = 2500

/** What waits for the human, first of all. */
export function Needs({ cards, answered, ready, store, time, open }: Props) {
  const left = cards.filter(({ key }) => !answered.some((one) => one.key === key))
  return (
    <section class="panel needs" aria-labelledby="needs">
      <h2 id="needs">Needs you {left.length > 0 && <span class="count">{left.length}</span>}</h2>
      <p class="sr" role="status">
        {left.length === 0 ? '' : `${left.length} waiting for you: ${left.map(titleOf).join('; ')}`}
      </p>
      {ready && cards.length === 0 && <p class="empty">Nothing needs you.</p>}
      {cards.map((need) => {
        const said = answered.find(({ key }) => key === need.key)?.said
        return <Card key={need.key} {...{ need, said, store, time, open }} />
      })}
    </section>
  )
}

function titleOf(need: Need): string {
  if ('name' in need) return `@${need.name} ${REASONS[needRow(need).reason]}`
  if (need.type === 'held') return `${need.count} held`
  return `${need.title}, from @${need.from}`
}

type CardProps = { need: Need; said: string | undefined } & Pick<Props, 'store' | 'time' | 'open'>

function Card({ need, said, store, time, open }: CardProps) {
  const [failed, setFailed] = useState<Refused | undefined>()
  const [key] = useState(newKey)
  const act = async (name: string, fields: Record<string, unknown>, done: string) => {
    store.change((state) => answer(state, need.key, done))
    try {
      await api.act(name, { ...fields, key })
      setFailed(undefined)
      setTimeout(() => store.change((state) => answer(state, need.key)), STAYS_MS)
    } catch (error) {
      store.change((state) => answer(state, need.key))
      setFailed(error as Refused)
    }
  }
  const asks = 'options' in need
  return (
    <article class={`need ${need.type} ${asks ? 'asks' : ''} ${said ? 'done' : ''}`}>
      <Label need={need} time={time} />
      {'name' in need && <Named need={need} />}
      {need.type === 'held' && (
        <p>{`to ${need.to.map((one) => `@${one}`).join(', ')}: ${need.why}`}</p>
      )}
      {asks && <Question need={need} open={open} />}
      {said !== undefined && <p class="said">{said}</p>}
      {said === undefined && asks && <Answers need={need} act={act} />}
      {said === undefined && 'name' in need && restarts(need) && (
        <button
          type="button"
          data-stop
          onClick={() => act('restart', { name: need.name }, 'Starting again')}
        >
          Start again
        </button>
      )}
      {said === undefined && need.type === 'held' && (
        <button
          type="button"
          data-stop
          onClick={() => act('release', { chain: need.chain }, 'Released')}
        >
          {`Release ${need.count === 1 ? 'it' : `all ${need.count}`}`}
        </button>
      )}
      {failed && (
        <p class="bad" role="alert">
          {failed.message} <span class="muted">{failed.hint}</span>
        </p>
      )}
    </article>
  )
}

/** Why a session or worker cannot go on, and what is to be done where no button does it. */
function Named({ need }: { need: Extract<Need, { name: string }> }) {
  const place = restarts(need) ? undefined : placeOf(need.answer)
  return (
    <p>
      {need.why}
      {place && `${/[.?!]$/.test(need.why) ? '' : '.'} ${place.words}`}
      {place?.command && <code>{place.command}</code>}
    </p>
  )
}

const KINDS = {
  decision: 'Decision',
  approval: 'Approval',
  question: 'Question',
  permission: 'Asks permission',
  trust: 'Asks at its start',
  asks: 'Question',
  failed: 'Failed',
  limited: 'Usage limit',
  held: 'Held messages',
} as const

function Label({ need, time }: { need: Need; time: number }) {
  const number = 'number' in need && need.number !== undefined ? ` ${need.number}` : ''
  const what = `${KINDS[need.type]}${number}`
  const from = 'name' in need ? need.name : 'from' in need ? need.from : undefined
  return (
    <p class="label">
      <b>{what}</b>
      {from !== undefined && <Name name={from} />}
      <span class="muted">{`${ago(need.at, time)} ago`}</span>
    </p>
  )
}

type Asking = Extract<Need, { options: string[] }>

function Question({ need, open }: { need: Asking; open: (id: string) => void }) {
  return (
    <>
      <h3>
        <button
          type="button"
          class="title"
          data-stop
          title="Open the conversation"
          onClick={() => open(need.id)}
        >
          {need.title}
        </button>
      </h3>
      {need.text !== '' && <pre class="text short">{need.text}</pre>}
    </>
  )
}

type AnswersProps = {
  need: Asking
  act: (name: string, fields: Record<string, unknown>, done: string) => Promise<void>
}

/** By a click, by a number, or in words. */
function Answers({ need, act }: AnswersProps) {
  const [words, setWords] = useState('')
  const give = (text: string, said: string) =>
    act('reply', { id: need.id, text }, `Answered: ${said}`)
  const submit = (event: Event) => {
    event.preventDefault()
    if (words.trim() !== '') void give(words, words)
  }
  return (
    <>
      {need.options.length > 0 && (
        <div class="options">
          {need.options.map((option, at) => (
            <button
              key={option}
              type="button"
              class="option"
              onClick={() => give(String(at + 1), option)}
            >
              <span class="number" aria-hidden="true">
                {at + 1}
              </span>
              {option}
            </button>
          ))}
        </div>
      )}
      <form class="inline" onSubmit={submit}>
        <input
          aria-label={`Answer ${need.title} in words`}
          placeholder={need.options.length > 0 ? 'Or in words' : 'Your answer'}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" disabled={words.trim() === ''}>
          Answer
        </button>
      </form>
    </>
  )
}
