import { useEffect, useMemo, useReducer, useState } from 'preact/hooks'
import { Feed } from './feed.tsx'
import { Flow } from './flow.tsx'
import { Head, type View } from './head.tsx'
import { Help } from './help.tsx'
import { useKeys } from './keys.ts'
import { Needs } from './needs.tsx'
import { Pane, type Shows } from './pane.tsx'
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
  const [view, setView] = useState<View>('feed')
  const [pane, setPane] = useState<Shows | undefined>()
  const [help, setHelp] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || draw(undefined), AGE_MS)
    return () => clearInterval(timer)
  }, [])
  const see = (next: View) => {
    setView(next)
    document.getElementById('main')?.scrollIntoView({ block: 'start' })
  }
  useKeys({
    view: see,
    help: () => setHelp((open) => !open),
    write: () => setPane({ write: '' }),
    close: () => {
      if (help) setHelp(false)
      else setPane(undefined)
      return help || pane !== undefined
    },
  })
  const state = store.state()
  const { now, closed, cards } = state
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
          <Needs {...{ cards, open, store, time }} ready={state.ready} answered={state.answered} />
          <People
            {...{ time }}
            people={now.people}
            ready={state.ready}
            write={(to) => setPane({ write: to })}
            open={open}
          />
        </aside>
        <main id="main">
          {view === 'feed' && (
            <Feed
              {...{ state, store, open, time }}
              selected={pane && 'id' in pane ? pane.id : undefined}
            />
          )}
          {view === 'tasks' && <Tasks {...{ open, time }} mark={state.rows[0]?.id ?? ''} />}
          {view === 'flow' && <Flow {...{ open }} rows={state.rows} />}
          {view === 'search' && <Search {...{ open, time }} />}
        </main>
        {pane && (
          <Pane
            key={'id' in pane ? pane.id : 'write'}
            {...{ state, open, time }}
            shows={pane}
            close={() => setPane(undefined)}
          />
        )}
      </div>
      {help && <Help close={() => setHelp(false)} />}
    </>
  )
}
