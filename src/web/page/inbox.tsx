import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AwayLine } from '../../feed/awayText.ts'
import { AwayBlock } from './away.tsx'
import { Name } from './name.tsx'
import { filtered, type InboxRow, isOpen, partsOf, type State } from './state.ts'
import { ago } from './time.ts'

type Props = {
  state: State
  time: number
  word: string
  setWord: (word: string) => void
  selected: string | undefined
  open: (row: InboxRow) => void
  openAway: (line: AwayLine) => void
  /** What happened while somebody was away was seen. */
  seen: () => void
  /** The selection has left a row. */
  left: () => void
}

/** What needs the human, and what they have not read: one row each. */
export function Inbox({ state, time, word, setWord, selected, open, openAway, seen, left }: Props) {
  const { inbox, now, ready } = state
  const rows = filtered(inbox, word)
  const list = useRef<HTMLOListElement>(null)
  const titles = now.needs.map((need) => partsOf({ key: '', need }).title)
  useLayoutEffect(() => {
    // From the first moment, keys have a row that one sees.
    if (ready && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('[data-stop]')?.focus({ preventScroll: true })
  }, [ready])
  return (
    <section class="panel feed inbox" aria-labelledby="inbox">
      <div class="pane-head">
        <h2 id="inbox">
          Needs you {now.needs.length > 0 && <span class="count">{now.needs.length}</span>}
          <span class="muted">{` · ${now.threads.length} unread`}</span>
        </h2>
        <input
          id="filter"
          aria-label="Show only rows with"
          placeholder="Filter"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Else the row that gets the focus gets the key as well.
            event.preventDefault()
            list.current?.querySelector<HTMLElement>('[data-stop]')?.focus()
          }}
        />
      </div>
      <p class="sr" role="status">
        {titles.length === 0 ? '' : `${titles.length} waiting for you: ${titles.join('; ')}`}
      </p>
      {now.away && <AwayBlock away={now.away} open={openAway} seen={seen} />}
      {ready && now.needs.length === 0 && <p class="empty">Nothing needs you.</p>}
      {ready && rows.length === 0 && word === '' && <p class="empty">No unread messages.</p>}
      <ol ref={list}>
        {rows.map((row) => (
          <Line
            key={row.key}
            {...{ row, time, open, left }}
            said={state.stays.find(({ key }) => key === row.key)?.said}
            isOpen={isOpen(state, row)}
            selected={row.key === selected}
          />
        ))}
      </ol>
    </section>
  )
}

type LineProps = Pick<Props, 'time' | 'open' | 'left'> & {
  row: InboxRow & { faint?: boolean }
  said: string | undefined
  isOpen: boolean
  selected: boolean
}

function Line({ row, time, open, left, said, isOpen, selected }: LineProps) {
  const { need, thread } = row
  const { why, who, title, more } = partsOf(row)
  const at = need?.at ?? thread?.at ?? ''
  const faint = row.faint || !isOpen
  const tag = thread ? 'new' : need?.type === 'failed' ? 'bad' : 'warn'
  return (
    <li class={`row ${selected ? 'selected' : ''} ${faint ? 'faint' : ''}`} data-key={row.key}>
      <button type="button" class="message" data-stop onClick={() => open(row)} onBlur={left}>
        <span class="route">
          {who.map((name) => (
            <Name key={name} name={name} />
          ))}
        </span>
        <span class="what">
          {(need || why !== 'note') && <span class={`tag ${tag}`}>{why}</span>}
          <b>{title}</b> <span class="muted">{said || more}</span>
        </span>
        <time dateTime={at} title={at}>
          {ago(at, time)}
        </time>
      </button>
    </li>
  )
}
