import { useEffect, useState } from 'preact/hooks'
import { Name } from './name.tsx'

type Piece = { event: string; text?: string; tool?: string; attempt?: number }

/** More than anybody reads while it comes; the answer has it whole. In characters. */
const KEPT = 20_000

/** What a worker says, as it comes. The stream is open only while this is seen. */
export function Streamed({ name, message }: { name: string; message: string }) {
  const [text, setText] = useState('')
  useEffect(() => {
    setText('')
    const source = new EventSource(`/api/stream/${name}/${encodeURIComponent(message)}`)
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const piece = JSON.parse(data) as Piece
      if (piece.event === 'done') source.close()
      setText((before) => `${before}${textOf(piece)}`.slice(-KEPT))
    }
    return () => source.close()
  }, [name, message])
  return (
    <div class="streamed">
      <p class="label">
        <Name name={name} /> <span class="muted">is answering</span>
      </p>
      <pre class="text">{text === '' ? '…' : text}</pre>
    </div>
  )
}

function textOf({ event, text = '', tool, attempt = 1 }: Piece): string {
  if (event === 'token') return text
  if (event === 'tool_start') return `\n[${tool}]\n`
  return event === 'start' && attempt > 1 ? `\n[try ${attempt}]\n` : ''
}
