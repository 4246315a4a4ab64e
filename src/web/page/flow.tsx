import { useState } from 'preact/hooks'
import type { MessageRow, Row } from '../wire.ts'
import { hueOf, Name } from './name.tsx'
import { clock } from './time.ts'

/** So many messages fit into the picture, and how far apart they and the lanes are. In pixels. */
const SHOWN = 80
const STEP = 26
const LANE = 44
const LEFT = 110
const TOP = 30

/** Who writes to whom: a lane for each, time to the right, an arrow for each message. */
export function Flow({ rows, open }: { rows: Row[]; open: (id: string) => void }) {
  const [chain, setChain] = useState('')
  const all = rows.filter((row): row is MessageRow => row.type === 'message')
  const chains = [...new Map(all.map((row) => [row.chain, row])).values()]
  const messages = all.filter((row) => chain === '' || row.chain === chain).slice(0, SHOWN)
  messages.reverse()
  const order = (name: string) => (name === 'human' ? '' : name)
  const names = [...new Set(messages.flatMap(({ from, to }) => [from, to]))].sort((a, b) =>
    order(a) < order(b) ? -1 : 1,
  )
  return (
    <section class="panel" aria-labelledby="flow">
      <h2 id="flow">Flow</h2>
      <div class="inline">
        <label for="chain">Chain</label>
        <select id="chain" value={chain} onChange={(event) => setChain(event.currentTarget.value)}>
          <option value="">{`All, the last ${SHOWN} messages`}</option>
          {chains.slice(0, 50).map((row) => (
            <option key={row.chain} value={row.chain}>
              {`${clock(row.at)} @${row.from}: ${(row.subject ?? row.text).slice(0, 50)}`}
            </option>
          ))}
        </select>
      </div>
      {messages.length === 0 ? (
        <p class="empty">No messages yet.</p>
      ) : (
        <Lanes {...{ names, messages, open }} />
      )}
      <Pairs messages={messages} />
    </section>
  )
}

type LanesProps = { names: string[]; messages: MessageRow[]; open: (id: string) => void }

function Lanes({ names, messages, open }: LanesProps) {
  const width = LEFT + messages.length * STEP + 20
  const height = TOP + names.length * LANE
  const y = (name: string) => TOP + names.indexOf(name) * LANE + 10
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section class="lanes" tabIndex={0} aria-label="Messages over time">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label="Who writes to whom; the table has it in words"
      >
        {names.map((name) => (
          <g key={name}>
            <line class="lane" x1={LEFT} x2={width} y1={y(name)} y2={y(name)} />
            <text x={LEFT - 10} y={y(name) + 4} text-anchor="end">
              {name === 'human' ? 'you' : `@${name}`}
            </text>
          </g>
        ))}
        {messages.map((message, at) => (
          <Arrow
            key={message.id}
            {...{ message, open }}
            x={LEFT + at * STEP + 14}
            from={y(message.from)}
            to={y(message.to)}
            label={at % 6 === 0}
          />
        ))}
      </svg>
    </section>
  )
}

type ArrowProps = {
  message: MessageRow
  x: number
  from: number
  to: number
  label: boolean
  open: (id: string) => void
}

/** The colour is that of the chain; a click opens the conversation. */
function Arrow({ message, x, from, to, label, open }: ArrowProps) {
  const way = to > from ? -1 : 1
  const tip = to + way * 3
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the feed opens the same by keys
    <g class={`arrow hue${hueOf(message.chain)}`} onClick={() => open(message.id)}>
      <title>{`${clock(message.at)} @${message.from} to @${message.to}: ${message.subject ?? message.text}`}</title>
      <rect
        class="hit"
        x={x - STEP / 2}
        y={Math.min(from, to)}
        width={STEP}
        height={Math.abs(to - from) + 6}
      />
      <circle cx={x} cy={from} r="3.5" />
      <line x1={x} x2={x} y1={from} y2={tip} />
      <path d={`M${x - 5} ${tip + way * 7}L${x} ${tip}L${x + 5} ${tip + way * 7}`} />
      {label && (
        <text class="tick" x={x} y={14} text-anchor="middle">
          {clock(message.at)}
        </text>
      )}
    </g>
  )
}

/** The same in words and numbers. */
function Pairs({ messages }: { messages: MessageRow[] }) {
  const counts = new Map<string, { from: string; to: string; count: number; last: string }>()
  for (const { from, to, at } of messages) {
    const key = `${from} ${to}`
    counts.set(key, { from, to, count: (counts.get(key)?.count ?? 0) + 1, last: at })
  }
  const pairs = [...counts.values()].sort((a, b) => b.count - a.count)
  const most = pairs[0]?.count ?? 1
  return (
    <table class="pairs">
      <caption class="sr">Messages between each two</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Messages</th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ from, to, count, last }) => (
          <tr key={`${from} ${to}`}>
            <td>
              <Name name={from} />
            </td>
            <td>
              <Name name={to} />
            </td>
            <td>
              <meter min={0} max={most} value={count} aria-hidden="true" /> {count}
            </td>
            <td>{clock(last)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
