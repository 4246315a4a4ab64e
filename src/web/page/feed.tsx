import { Component } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Crowd, isHidden } from '../../feed/fold.ts'
import type { MessageRow, Row } from '../wire.ts'
import { Name } from './name.tsx'
import { feedRows, type State } from './state.ts'
import type { Store } from './store.ts'
import { clock, day } from './time.ts'

type Props = {
  state: State
  store: Store
  selected: string | undefined
  time: number
  open: (id: string) => void
}

/** So many rows are drawn at first, and again as many at each step down. */
const DRAWN = 150
/** New rows wait while the pointer is on its way to one, and so long afterwards. */
const POINTER_MS = 1500

/** What passes, newest first. New rows wait while somebody reads further down. */
export function Feed({ state, store, selected, time, open }: Props) {
  const { next, ready, now } = state
  const [all, setAll] = useState(false)
  const [opened, setOpened] = useState<string[]>([])
  const rows = useMemo(() => feedRows(state.rows, all, opened), [state.rows, all, opened])
  const waiting = state.waiting.filter((row) => all || !isHidden(row))
  const [drawn, setDrawn] = useState(DRAWN)
  const [asked, setAsked] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const moving = useAtTop(top, store)
  const older = async () => {
    setDrawn((count) => count + DRAWN)
    if (asked || next === null || rows.length > drawn + DRAWN) return
    setAsked(true)
    await store.older().catch(() => undefined)
    setAsked(false)
  }
  const unread = new Set(now.unread)
  const unseen = new Set(now.unseen)
  const held = new Set(now.needs.flatMap((need) => (need.type === 'held' ? need.chain : [])))
  const onTop = () => {
    store.showWaiting()
    top.current?.scrollIntoView({ block: 'center' })
  }
  return (
    <section class="panel feed" aria-labelledby="feed">
      <h2 id="feed">Feed</h2>
      <div ref={top} class="top" />
      {waiting.length > 0 && (
        <button type="button" class="pill" onClick={onTop}>
          {`${waiting.length} new`}
        </button>
      )}
      {state.rows.some(isHidden) && (
        <label class="muted">
          <input
            type="checkbox"
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />{' '}
          Show who came and went, and states of tasks
        </label>
      )}
      {ready && rows.length === 0 && (
        <p class="empty">No messages yet. Say something with Write, or press n.</p>
      )}
      <ol onPointerMove={moving}>
        {rows.slice(0, drawn).map((row, at) => (
          <FeedRow
            key={`${row.type} ${row.id}`}
            row={row}
            head={dayHead(rows, at, time)}
            unfold={() => setOpened((ids) => [...ids, row.id])}
            unread={unread.has(row.id)}
            unseen={unseen.has(row.id)}
            held={isHeld(row, held, unseen)}
            selected={row.id === selected}
            open={open}
          />
        ))}
      </ol>
      {(next !== null || rows.length > drawn) && (
        <button type="button" class="more" disabled={asked} onClick={older}>
          Older messages
        </button>
      )}
    </section>
  )
}

/** New rows are put on top while the top is seen and nobody's pointer moves over the rows. */
function useAtTop(top: { current: HTMLDivElement | null }, store: Store): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Asked at each arrival: an observer would tell of a scroll too late for a row that comes then.
  const mayShow = () =>
    timer.current === undefined && (top.current?.getBoundingClientRect().bottom ?? 0) >= 0
  const showNow = () => {
    if (mayShow()) store.showWaiting()
  }
  useEffect(() => {
    store.showWhile(mayShow)
    const watcher = new IntersectionObserver(showNow)
    if (top.current) watcher.observe(top.current)
    return () => {
      watcher.disconnect()
      clearTimeout(timer.current)
      store.showWhile(() => true)
      store.showWaiting()
    }
  }, [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      showNow()
    }, POINTER_MS)
  }
}

/** The day of a row where it is another than that of the row above. */
function dayHead(rows: AnyRow[], at: number, time: number): string | undefined {
  const row = rows[at]
  if (row === undefined) return undefined
  const title = day(row.at, time)
  const above = rows[at - 1]
  return above !== undefined && day(above.at, time) === title ? undefined : title
}

/** A row says what was when it was sent: it may have been released or read since. */
function isHeld(row: AnyRow, chains: Set<string>, unseen: Set<string>): boolean {
  if (row.type !== 'message' || row.held === undefined) return false
  return row.to.includes('.') || (unseen.has(row.id) && chains.has(row.chain))
}

type AnyRow = Row | Crowd<Row>

type RowProps = {
  row: AnyRow
  unfold: () => void
  head: string | undefined
  unread: boolean
  unseen: boolean
  held: boolean
  selected: boolean
  open: (id: string) => void
}

/** A row is drawn again only where something of it has changed. */
class FeedRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps) {
    const props: (keyof RowProps)[] = ['row', 'head', 'unread', 'unseen', 'held', 'selected']
    return props.some((name) => this.props[name] !== next[name])
  }

  override render({ row, head, unread, unseen, held, selected, open, unfold }: RowProps) {
    const marks = `${unread ? ' unread' : ''}${selected ? ' selected' : ''}`
    return (
      <>
        {head && <li class="day">{head}</li>}
        <li class={`row${marks}`} data-id={row.type === 'crowd' ? undefined : row.id}>
          {row.type === 'notice' ? (
            <p class="notice">
              <time dateTime={row.at}>{clock(row.at)}</time> {row.text}
              {row.detail && <span class="muted">{` · ${row.detail}`}</span>}
            </p>
          ) : row.type === 'crowd' ? (
            <button type="button" class="message" data-stop onClick={unfold}>
              <time dateTime={row.at}>{clock(row.at)}</time>
              <Name name={row.from} />
              <span class="what">{row.text}</span>
            </button>
          ) : (
            <MessageLine {...{ row, unread, unseen, held, open }} />
          )}
        </li>
      </>
    )
  }
}

export function MessageLine({
  row,
  unread,
  unseen,
  held,
  open,
}: {
  row: MessageRow
  unread?: boolean
  unseen?: boolean
  held?: boolean
  open: (id: string) => void
}) {
  const { id, at, from, to, kind, subject, text } = row
  return (
    <button type="button" class="message" data-stop onClick={() => open(id)}>
      <time dateTime={at}>{clock(at)}</time>
      <span class="route">
        <Name name={from} /> <span aria-hidden="true">→</span>
        <span class="sr">to</span> <Name name={to} />
      </span>
      <span class="what">
        {kind !== 'note' && kind !== 'reply' && <span class="tag">{kind}</span>}
        {held && <span class="tag warn">held</span>}
        {unread && <span class="tag new">unread</span>}
        {unseen && <span class="tag">not read</span>}
        {subject && <b>{subject} </b>}
        <span>{text}</span>
      </span>
    </button>
  )
}
