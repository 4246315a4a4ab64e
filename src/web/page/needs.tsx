import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Need } from '../../feed/need.ts'
import { api, newKey, type Refused } from './api.ts'
import { Name } from './name.tsx'
import { partsOf, placeOf, restarts, stay } from './state.ts'
import type { Store } from './store.ts'
import { ago } from './time.ts'

type Props = {
  need: Need
  /** What came of it, where it was answered. */
  said: string
  store: Store
  time: number
  open: (id: string) => void
  /** An answer that is chosen and not given yet, from 1. */
  chosen: { option: number } | undefined
  /** It was dealt with a moment ago. */
  over: () => void
}

/** So long an answered card stays where it was: nothing else comes under the pointer. */
const STAYS_MS = 2500

/** What needs the human, whole, with its answers. */
export function Card({ need, said, store, time, open, chosen, over }: Props) {
  const [failed, setFailed] = useState<Refused | undefined>()
  const [key] = useState(newKey)
  const act = async (name: string, fields: Record<string, unknown>, done: string) => {
    const says = (text: string, fresh: boolean) =>
      store.change((state) => stay(state, { key: need.key, said: text, fresh }))
    says(done, true)
    try {
      await api.act(name, { ...fields, key })
      setFailed(undefined)
      setTimeout(() => {
        says(done, false)
        over()
      }, STAYS_MS)
    } catch (error) {
      says('', false)
      setFailed(error as Refused)
    }
  }
  const asks = 'options' in need
  return (
    <article class={`need ${need.type} ${asks ? 'asks' : ''} ${said ? 'done' : ''}`}>
      <Label need={need} time={time} />
      {'name' in need && <Named need={need} />}
      {need.type === 'held' && (
        <p>{`${need.count} to ${need.to.map((one) => `@${one}`).join(', ')}: ${need.why}`}</p>
      )}
      {asks && <Question need={need} open={open} />}
      {said && <p class="said">{said}</p>}
      <div hidden={said !== ''}>
        {asks && <Answers {...{ need, act, chosen }} />}
        {'name' in need && restarts(need) && (
          <button
            type="button"
            onClick={() => act('restart', { name: need.name }, 'Starting again')}
          >
            Start again
          </button>
        )}
        {need.type === 'held' && (
          <button type="button" onClick={() => act('release', { chain: need.chain }, 'Released')}>
            {`Release ${need.count === 1 ? 'it' : `all ${need.count}`}`}
          </button>
        )}
      </div>
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

function Label({ need, time }: { need: Need; time: number }) {
  const { why, who } = partsOf({ key: need.key, need })
  return (
    <p class="label">
      <b>{why}</b>
      {need.type !== 'held' && who.map((name) => <Name key={name} name={name} />)}
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

type AnswersProps = Pick<Props, 'chosen'> & {
  need: Asking
  act: (name: string, fields: Record<string, unknown>, done: string) => Promise<void>
}

/** By a click, by a number, or in words. */
function Answers({ need, act, chosen }: AnswersProps) {
  const [words, setWords] = useState('')
  const options = useRef<HTMLDivElement>(null)
  // Shown, and given by Enter alone.
  useLayoutEffect(() => {
    const option = chosen && options.current?.children[chosen.option - 1]
    if (option instanceof HTMLElement) option.focus()
  }, [chosen])
  const give = (text: string, said: string) =>
    act('reply', { id: need.id, text }, `Answered: ${said}`)
  const submit = (event: Event) => {
    event.preventDefault()
    if (words.trim() !== '') void give(words, words)
  }
  return (
    <>
      {need.options.length > 0 && (
        <div ref={options} class="options">
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
