import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation, Shown } from '../wire.ts'
import { api, newKey, type Refused } from './api.ts'
import { Name } from './name.tsx'
import { Card } from './needs.tsx'
import { Facts } from './people.tsx'
import type { State } from './state.ts'
import type { Store } from './store.ts'
import { Streamed } from './streamed.tsx'
import { ago, clock } from './time.ts'
import { Write } from './write.tsx'

/**
 * A conversation by one of its messages, a new message, or what needs the human. `key`: of the row
 * of the inbox that it was opened from; `rest`: conversations that can be opened after this one.
 */
export type Shows =
  | { id: string; key?: string; rest?: string[] }
  | { write: string; key?: never }
  | { need: true; key: string; chosen?: { option: number } }

type Props = {
  shows: Shows
  state: State
  store: Store
  time: number
  open: (id: string) => void
  close: () => void
  next: (ids: string[]) => void
  /** A row of the inbox was dealt with. */
  over: (key: string) => void
}

export function Pane({ shows, state, store, time, open, close, next, over }: Props) {
  const box = useRef<HTMLElement>(null)
  const before = useRef(document.activeElement)
  useLayoutEffect(() => {
    // A field of it has the focus already, where one is to be typed into.
    if (!box.current?.contains(document.activeElement)) box.current?.focus()
    // Whoever came from a row, and has not gone on to another, goes back to it.
    return () => {
      const here = document.activeElement
      if (here === document.body || box.current?.contains(here))
        (before.current as HTMLElement | null)?.focus?.()
    }
  }, [])
  const { key } = shows
  const need = state.inbox.find((row) => row.key === key)?.need
  const said = state.stays.find((row) => row.key === key)?.said ?? ''
  const chosen = 'need' in shows ? shows.chosen : undefined
  const rest = ('id' in shows && shows.rest) || []
  const to = 'write' in shows ? shows.write : undefined
  const person = state.now.people.find(({ name }) => name === to)
  return (
    <section ref={box} class="panel pane" tabIndex={-1} aria-labelledby="pane" data-key={key}>
      <div class="pane-head">
        <h2 id="pane">{'id' in shows ? 'Conversation' : key ? 'Needs you' : 'Write'}</h2>
        <button type="button" class="quiet" aria-label="Close" title="Close (Esc)" onClick={close}>
          ✕
        </button>
      </div>
      {rest.length > 0 && (
        <button type="button" class="link" onClick={() => next(rest)}>
          {`Next conversation (${rest.length} more)`}
        </button>
      )}
      {'id' in shows && <Thread {...{ state, time }} id={shows.id} />}
      {key && need && (
        <Card {...{ need, said, store, time, open, chosen }} over={() => over(key)} />
      )}
      {'need' in shows && !need && <p class="empty">This needs you no longer.</p>}
      {person && <Facts {...{ person, open }} />}
      {to !== undefined && <Write to={to} people={state.now.people} open={open} />}
    </section>
  )
}

function Thread({ id, state, time }: { id: string; state: State; time: number }) {
  const [found, setFound] = useState<Conversation | undefined>()
  const [failed, setFailed] = useState<Refused | undefined>()
  const root = found?.root
  // A row of this conversation that comes has it looked at again; nothing else does.
  const newest = state.rows.find((row) => row.type === 'message' && row.thread === root)?.id
  useEffect(() => {
    let over = false
    api.thread(id).then(
      (conversation) => {
        if (over) return
        setFound(conversation)
        setFailed(undefined)
        const unread = conversation.messages.filter((one) => state.now.unread.includes(one.id))
        if (unread.length > 0)
          void api.act('seen', { ids: unread.map((one) => one.id) }).catch(() => {})
      },
      (error) => over || setFailed(error),
    )
    return () => {
      over = true
    }
  }, [id, newest])
  if (failed && !found)
    return (
      <p class="bad" role="alert">
        {failed.message} <span class="muted">{failed.hint}</span>
      </p>
    )
  if (!found) return <p class="empty">Loading</p>
  const { messages, missing } = found
  const worker = state.now.people.find(({ message }) => messages.some((one) => one.id === message))
  return (
    <>
      {missing > 0 && (
        <p class="muted">{`${missing} messages of this conversation are gone or cannot be read.`}</p>
      )}
      <ol class="thread">
        {messages.map((message) => (
          <Body key={message.id} message={message} time={time} here={message.id === id} />
        ))}
      </ol>
      {worker?.message && <Streamed name={worker.name} message={worker.message} />}
      <Reply messages={messages} id={id} />
    </>
  )
}

function Body({ message, time, here }: { message: Shown; time: number; here: boolean }) {
  const { at, from, to, kind, subject, text, files, work } = message
  return (
    <li class={here ? 'here' : ''}>
      <p class="label">
        <Name name={from} /> <span aria-hidden="true">→</span>
        <span class="sr">to</span> <Name name={to} />
        <span class="tag">{kind}</span>
        <time class="muted" dateTime={at} title={at}>
          {`${clock(at)}, ${ago(at, time)} ago`}
        </time>
      </p>
      {subject && <h3>{subject}</h3>}
      <pre class="text">{text}</pre>
      {work.map((line) => (
        <p key={line} class="muted">
          {line}
        </p>
      ))}
      {files.length > 0 && (
        <ul class="files">
          {files.map(({ path, bytes, state }) => (
            <li key={path}>
              <code>{path}</code> <span class="muted">{`${bytes} bytes, ${state}`}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Answers the message that was opened, or the last that is not one's own. */
function Reply({ messages, id }: { messages: Shown[]; id: string }) {
  const others = messages.filter(({ from }) => from !== 'human' && from !== 'agent-chat')
  const target = others.find((one) => one.id === id) ?? others.at(-1)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [key, setKey] = useState(newKey)
  const [said, setSaid] = useState('')
  if (target === undefined) return null
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const done = await api.act('reply', { id: target.id, text, key })
      setSaid(['Sent', ...done.said].join('. '))
      setText('')
      setKey(newKey())
    } catch (error) {
      const { message, hint } = error as Refused
      setSaid(`${message} (${hint})`)
    }
    setBusy(false)
  }
  const send = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim() !== '')
      void submit(event)
  }
  return (
    <form class="reply" onSubmit={submit}>
      <label for="reply">{`Reply to @${target.from}`}</label>
      <textarea
        id="reply"
        rows={3}
        value={text}
        onKeyDown={send}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="end">
        <span class="muted" role="status">
          {said}
        </span>
        <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
          Send
        </button>
      </div>
    </form>
  )
}
