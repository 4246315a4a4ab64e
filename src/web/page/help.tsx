import { useLayoutEffect, useRef } from 'preact/hooks'

const KEYS: [keys: string, does: string][] = [
  ['j k', 'go to the next or the former row'],
  ['Enter', 'open it'],
  ['1–9', 'go to an answer of a decision; Enter gives it'],
  ['n', 'write a new message'],
  ['f t w', 'see the feed, the tasks, the flow'],
  ['/', 'search'],
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
