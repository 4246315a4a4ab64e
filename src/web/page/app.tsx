import { useEffect, useMemo, useReducer, useState } from 'preact/hooks'
import { usePresence } from './away.tsx'
import { Feed } from './feed.tsx'
import { Head, type View } from './head.tsx'
import { Help, KEYLINE } from './help.tsx'
import { Inbox } from './inbox.tsx'
import { useKeys } from './keys.ts'
import { useOpened } from './opened.ts'
import { Pane } from './pane.tsx'
import { People } from './people.tsx'
import { Search } from './search.tsx'
import { openStore } from './store.ts'
import { Tasks } from './tasks.tsx'

/** Ages are drawn again so often. In milliseconds. */
const AGE_MS = 20_000

export function App() {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [signs, drawSigns] = useReducer((count: number) => count + 1, 0)
  const store = useMemo(
    () =>
      openStore(
        () => draw(undefined),
        () => drawSigns(undefined),
      ),
    [],
  )
  const [view, setView] = useState<View>('inbox')
  const [help, setHelp] = useState(false)
  const [word, setWord] = useState('')
  const [says, setSays] = useState('')
  useEffect(() => {
    const timer = setInterval(() => document.hidden || draw(undefined), AGE_MS)
    return () => clearInterval(timer)
  }, [])
  usePresence()
  const see = (next: View) => {
    setView(next)
    document.getElementById('main')?.scrollIntoView({ block: 'start' })
  }
  const state = store.state()
  const { now, closed } = state
  const { pane, setPane, close, ...does } = useOpened(store, setSays)
  useKeys({
    view: see,
    help: () => setHelp((open) => !open),
    write: () => setPane({ write: '' }),
    filter: () => {
      const field = document.getElementById('filter')
      if (field) field.focus()
      else see('search')
    },
    say: setSays,
    answer: does.answer,
    read: does.read,
    close: () => {
      if (help) setHelp(false)
      else if (pane) close()
      else setWord('')
      return help || pane !== undefined
    },
  })
  const count = now.needs.length
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}agent-chat`
  }, [count])
  if (closed)
    return (
      <main class="closed">
        <h1>agent-chat</h1>
        <p>{closed.message}</p>
        <p class="muted">{closed.hint}</p>
      </main>
    )
  const time = Date.now()
  const open = (id: string) => setPane({ id })
  return (
    <>
      <Head
        {...{ view, store, signs }}
        setView={see}
        write={() => setPane({ write: '' })}
        help={() => setHelp(true)}
      />
      {(now.gone || state.trouble) && (
        <p class="banner bad" role="alert">
          {now.gone ?? state.trouble}
        </p>
      )}
      <div class={`columns ${pane ? 'with-pane' : ''}`}>
        <aside>
          <People
            {...{ time }}
            people={now.people}
            ready={state.ready}
            write={(to) => setPane({ write: to })}
          />
        </aside>
        <main id="main">
          {view === 'inbox' && (
            <Inbox
              {...{ state, time, word, setWord }}
              selected={pane?.key}
              open={(row) => does.openRow(row)}
              openAway={does.openAway}
              seen={does.seen}
              left={does.left}
            />
          )}
          {view === 'feed' && (
            <Feed
              {...{ state, store, open, time }}
              selected={pane && 'id' in pane ? pane.id : undefined}
            />
          )}
          {view === 'tasks' && <Tasks {...{ open, time }} mark={state.rows[0]?.id ?? ''} />}
          {view === 'search' && <Search {...{ open, time }} />}
          <p class="muted keyline" role="status">
            {says || KEYLINE}
          </p>
        </main>
        {pane && (
          <Pane
            key={'id' in pane ? pane.id : (pane.key ?? 'write')}
            {...{ state, store, open, time, close }}
            shows={pane}
            next={does.openAll}
            over={does.over}
          />
        )}
      </div>
      {help && <Help close={() => setHelp(false)} />}
    </>
  )
}
