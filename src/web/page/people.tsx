import type { Person } from '../wire.ts'
import { Name } from './name.tsx'
import { ago } from './time.ts'

type Props = {
  people: Person[]
  ready: boolean
  time: number
  write: (to: string) => void
}

/** Sessions and workers in the order of their names, a line each: a row never moves. */
export function People({ people, ready, time, write }: Props) {
  return (
    <section class="panel people" aria-labelledby="now">
      <h2 id="now">Now</h2>
      {ready && people.length === 0 && (
        <p class="empty">Nobody is here. Start a session with: agent-chat start backend</p>
      )}
      <ul>
        {people.map(({ name, state, since, doing, waits }) => (
          <li key={name}>
            <button
              type="button"
              class="person"
              data-stop
              title={`@${name}: ${doing?.text ?? waits ?? state}`}
              onClick={() => write(name)}
            >
              <Name name={name} />
              <span class={`activity ${state}`}>{doing?.text ?? wordOf(state)}</span>
              <span class="muted">{ago(doing?.since ?? since, time)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function wordOf(state: string): string {
  return state === 'asking' ? 'needs you' : state
}

/** All that is known of one, above a message to it. */
export function Facts({ person, open }: { person: Person; open: (id: string) => void }) {
  const { name, worker, state, unread, held, waits, cost, message, cwd } = person
  return (
    <p class="facts muted">
      <span>{`${worker ? 'worker, ' : ''}${wordOf(state)}`}</span>
      {waits && <span>{waits}</span>}
      {unread > 0 && <span>{`@${name} has ${unread} unread`}</span>}
      {held > 0 && <span>{`${held} held`}</span>}
      {cost && <span>{spent(cost)}</span>}
      {message && (
        <button type="button" class="link" onClick={() => open(message)}>
          what it says now
        </button>
      )}
      {cwd && <code>{cwd}</code>}
    </p>
  )
}

function spent({ tokens, usd }: NonNullable<Person['cost']>): string {
  return `${short(tokens)} tokens${usd === null ? '' : ` · $${usd.toFixed(2)}`} today`
}

function short(count: number): string {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
