import { expect, test } from 'vitest'
import { type Frame, frameReader, parseFrame } from './frames.ts'

const read = (...chunks: (string | Buffer)[]) => {
  const frames: Frame[] = []
  const take = frameReader((frame) => frames.push(frame))
  for (const chunk of chunks) take(Buffer.from(chunk))
  return frames
}

test('frames come whole, wherever the pipe cut them', () => {
  const text = '{"f":"ping","at":1}\n{"f":"ans","n":2,"answer":{"is":"wait","why":"voll: ü"}}\n'
  const bytes = Buffer.from(text)
  for (let at = 0; at <= bytes.length; at += 1)
    expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual([
      { f: 'ping', at: 1 },
      { f: 'ans', n: 2, answer: { is: 'wait', why: 'voll: ü' } },
    ])
  expect(read(...[...bytes].map((byte) => Buffer.from([byte])))).toHaveLength(2)
})

test('a frame of a later version is passed over, and one of the wrong shape is not taken', () => {
  expect(parseFrame(Buffer.from('{"f":"later","x":1}'))).toBeUndefined()
  for (const text of [
    'hello',
    '7',
    'null',
    '{}',
    '{"f":"ping","at":"x"}',
    '{"f":"msg","n":1,"letter":{"id":"x"}}',
    '{"f":"msg","n":1,"letter":{"id":"x","text":"x","silent":{"ring":"loud","why":""}}}',
    '{"f":"ans","n":1,"answer":{"is":"perhaps"}}',
    '{"f":"rcpt","n":1,"receipts":[7]}',
  ])
    expect(() => parseFrame(Buffer.from(text))).toThrow('the other side sent what is no frame')
  expect(parseFrame(Buffer.from('{"f":"toString"}'))).toBeUndefined()
})

test('a login that prints something is shown, without what a terminal would obey', () => {
  expect(() => read('Welcome \u001b[31mto b\n')).toThrow('what is no frame: Welcome ^[[31mto b')
  expect(() => read('x'.repeat(5_000_000))).toThrow('a line that is too long')
})
