import { useEffect } from 'preact/hooks'
import { type Away, type AwayLine, awayText } from '../../feed/awayText.ts'
import { api } from './api.ts'
import { clock } from './time.ts'

type Props = { away: Away; open: (line: AwayLine) => void; seen: () => void }

/**
 * What happened while nobody pressed a key. It is seen once somebody says so, or goes elsewhere
 * after they have done anything while it was there.
 */
export function AwayBlock({ away, open, seen }: Props) {
  useEffect(() => {
    let acted = false
    const act = () => {
      acted = true
    }
    const hide = () => document.hidden && acted && seen()
    addEventListener('keydown', act)
    addEventListener('pointerdown', act)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('keydown', act)
      removeEventListener('pointerdown', act)
      document.removeEventListener('visibilitychange', hide)
      if (acted) seen()
    }
  }, [])
  return (
    <section class="away" aria-labelledby="away" data-key="away">
      <div class="pane-head">
        <h3 id="away">{`While you were away (${clock(away.from)} to ${clock(away.to)})`}</h3>
        <button type="button" class="quiet" aria-label="Seen" title="Seen (e)" onClick={seen}>
          ✕
        </button>
      </div>
      <ul>
        {away.lines.map((line) => (
          <li key={awayText(line)}>
            <button type="button" class="link" data-stop onClick={() => open(line)}>
              {awayText(line)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** That somebody is here is told so often at the most. In milliseconds. */
const NOTED_MS = 30_000

/** Whoever presses a key on the page, or its pointer, is not away. */
export function usePresence(): void {
  useEffect(() => {
    let noted = Number.NEGATIVE_INFINITY
    const note = () => {
      if (performance.now() - noted < NOTED_MS) return
      noted = performance.now()
      api.act('here', {}).catch(() => {})
    }
    addEventListener('keydown', note)
    addEventListener('pointerdown', note)
  }, [])
}
