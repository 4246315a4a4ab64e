import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Found } from '../wire.ts'
import { api, type Refused } from './api.ts'
import { MessageLine } from './feed.tsx'
import { ago } from './time.ts'

export function Search({ time, open }: { time: number; open: (id: string) => void }) {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found | undefined>()
  const [failed, setFailed] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // Before the next key: a letter that comes first would be taken for a shortcut.
  useLayoutEffect(() => field.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    api.search(words).then(
      (result) => {
        setFound(result)
        setFailed('')
      },
      ({ message }: Refused) => setFailed(message),
    )
  }
  return (
    <section class="panel feed" aria-labelledby="search">
      <h2 id="search">Search</h2>
      <search>
        <form class="inline" onSubmit={submit}>
          <input
            ref={field}
            type="search"
            aria-label="Words to search for"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="submit" disabled={words.trim() === ''}>
            Search
          </button>
        </form>
      </search>
      <p class="muted" role="status">
        {failed || (found && summary(found))}
      </p>
      <ol>
        {found?.rows.map((row) => (
          <li key={row.id} class="row">
            <MessageLine
              row={{ ...row, text: `${row.line} · ${ago(row.at, time)} ago` }}
              open={open}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function summary({ rows, more }: Found): string {
  if (rows.length === 0) return 'No message has these words.'
  return more ? `The newest ${rows.length}; there are more.` : `${rows.length} found.`
}
