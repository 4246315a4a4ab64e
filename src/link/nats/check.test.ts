import { describe, expect, test } from 'vitest'
import { serverLines, streamLine } from './check.ts'
import { connectError } from './client.ts'

const shown = (line: { status: string; detail: string; hint?: string }) =>
  `${line.status}: ${line.detail}${line.hint === undefined ? '' : ` → ${line.hint}`}`

describe('doctor on a server of NATS', () => {
  test.each([
    [{ version: '2.9.10', max_payload: 2_097_152 }, ['ok: nats-server 2.9.10 answers']],
    [{ version: '3.0.0', max_payload: 8_000_000 }, ['ok: nats-server 3.0.0 answers']],
    [
      { version: '2.8.4', max_payload: 2_097_152 },
      ['failed: nats-server is 2.8.4, and 2.9 is needed → install a newer nats-server'],
    ],
    [
      { version: '2.10.7', max_payload: 1_048_576 },
      [
        'ok: nats-server 2.10.7 answers',
        'warning: the server takes 1048576 bytes at most: long messages are refused → set max_payload: 2097152 in nats-server.conf, and restart it',
      ],
    ],
  ])('says of %j', (info, lines) => {
    expect(serverLines(info).map(shown)).toEqual(lines)
  })

  test.each([
    [{ bytes: 10, maxBytes: 1000, waiting: 2 }, undefined, 'ok: the server holds 2 messages'],
    [{ bytes: 10, maxBytes: 1000, waiting: 2 }, 5000, 'ok: the server holds 2 messages'],
    [
      { bytes: 0, maxBytes: -1, waiting: 0 },
      5000,
      'failed: the stream has no limit → set max_bytes: a full disk wedges the server',
    ],
    [
      { bytes: 10, maxBytes: 1000, waiting: 2 },
      1900,
      'warning: the stream may grow by 990 bytes, and the disk has 1900 left → make room there: a full disk wedges the server',
    ],
    [
      { bytes: 600, maxBytes: 1000, waiting: 9 },
      undefined,
      'warning: the server holds 9 messages: over half of its limit → see who is away: agent-chat bridge status',
    ],
  ])('says of a stream %j with a disk of %s', (state, free, line) => {
    expect(shown(streamLine(state, free))).toBe(line)
  })
})

test.each([
  ['Authorization Violation', 'PEER_REFUSES', "does not take this machine's key"],
  ['certificate has expired', 'PEER_REFUSES', 'the certificate of tls://b:4222 has ended'],
  ['self-signed certificate', 'PEER_REFUSES', "is not the team's server"],
  ['connect ECONNREFUSED', 'NOT_ARRIVED', 'was not reached: "connect ECONNREFUSED"'],
])('a connection that fails with "%s" is %s', (why, code, message) => {
  expect(connectError('tls://b:4222', new Error(why))).toMatchObject({
    ...{ code, message: expect.stringContaining(message) },
  })
})
