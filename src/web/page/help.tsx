import { useLayoutEffect, useRef } from 'preact/hooks'

/** The keys of a list in one line. */
export const KEYLINE =
  'j k select · Enter opens · 1–9 answer · e marks read · / filters · i writes · ? keys'

const KEYS: [keys: string, does: string][] = [
  ['j k ↓ ↑', 'go to the next or the former row'],
  ['Enter o', 'open it'],
  ['1–9', 'choose an answer of the selected row; Enter gives it'],
  ['e', 'mark the selected row read; what needs you stays until it is answered'],
  ['/', 'show only rows with some words'],
  ['i', 'write a new message'],
  ['g f t s', 'see the inbox, the feed, the tasks, the search'],
  ['Esc', 'close what is open, or leave a field'],
  ['?', 'show these keys'],
]

export function Help({ close }: { close: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => box.current?.showModal(), [])
  return (
    <dialog ref={box} aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => box.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
