import { useEffect, useState } from 'preact/hooks'
import { api, type Refused } from './api.ts'
import type { Store } from './store.ts'
import { ago, clock } from './time.ts'

export type View = 'inbox' | 'feed' | 'tasks' | 'search'
const VIEWS: [View, string][] = [
  ['inbox', 'Inbox'],
  ['feed', 'Feed'],
  ['tasks', 'Tasks'],
  ['search', 'Search'],
]

type Props = {
  view: View
  setView: (view: View) => void
  store: Store
  signs: number
  write: () => void
  help: () => void
}

export function Head({ view, setView, store, write, help }: Props) {
  const { now, home, ready } = store.state()
  const [failed, setFailed] = useState('')
  const pause = (on: boolean) =>
    api.act('pause', { on }).then(
      () => setFailed(''),
      ({ message }: Refused) => setFailed(message),
    )
  return (
    <header>
      <div class="bar">
        <a class="skip" href="#main">
          Skip to the rows
        </a>
        <h1>agent-chat</h1>
        <span class="home muted" title={home}>
          {home}
        </span>
        <nav aria-label="Views">
          {VIEWS.map(([one, title]) => (
            <button
              key={one}
              type="button"
              aria-current={view === one ? 'page' : undefined}
              onClick={() => setView(one)}
            >
              {title}
            </button>
          ))}
        </nav>
        <StateLine store={store} />
        <div class="tools">
          <button type="button" class="primary" onClick={write}>
            Write
          </button>
          <button type="button" disabled={!ready} onClick={() => pause(!now.paused)}>
            {now.paused ? 'Turn on' : 'Pause'}
          </button>
          <button type="button" class="quiet" aria-label="Keys" title="Keys" onClick={help}>
            ?
          </button>
        </div>
      </div>
      {failed && (
        <p class="banner bad" role="alert">
          {failed}
        </p>
      )}
      {now.paused && (
        <p class="banner">
          Notifications are paused: messages are kept, and nobody is woken.{' '}
          <button type="button" class="link" onClick={() => pause(false)}>
            Turn them on
          </button>
        </p>
      )}
    </header>
  )
}

/** Whether what is shown is true: from signs of life, never from the connection alone. */
function StateLine({ store }: { store: Store }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  const { live, sign, event } = store.signs()
  const ready = store.state().ready
  const text = live
    ? `live · last event ${ago(event, Date.now())} ago`
    : ready
      ? `reconnecting, last seen ${clock(sign)}`
      : 'connecting'
  return (
    <p class={`state ${live ? 'live' : 'lost'}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </p>
  )
}
