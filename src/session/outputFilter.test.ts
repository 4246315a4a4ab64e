import { describe, expect, test } from 'vitest'
import { filterOf } from './outputFilter.ts'

describe('who reads the pipe', () => {
  const one = (pid: number, parent: number, command: string, group: number) => ({
    ...{ pid, parent, command, group, foreground: -1, started: `${pid}` },
  })
  const all = [
    one(10, 1, 'codex', 10),
    one(11, 10, 'bash', 11),
    one(12, 11, 'agent-chat', 11),
    one(13, 11, 'tail', 11),
    one(14, 10, 'server', 10),
    one(15, 1, 'stranger', 15),
  ]
  const find = (pid: number) => all.find((info) => info.pid === pid)
  const self = () => ({ pid: 12, started: '12' })
  const processes = { self, find, all: () => all }

  test.each<[string, Record<number, number[]>, string | undefined]>([
    ['nobody who can be seen, as without /proc', {}, undefined],
    ['the agent', { 10: [9] }, undefined],
    ['the agent, and a child that inherited it', { 10: [9], 13: [9] }, undefined],
    ['the agent, and a filter that it feeds', { 10: [9], 13: [0] }, 'tail'],
    ['the shell', { 11: [3] }, undefined],
    ['the shell, as the last part of a pipeline', { 11: [0] }, 'bash'],
    ['a filter', { 13: [0] }, 'tail'],
    ['a filter, by a file name', { 11: [63], 13: [63] }, 'tail'],
    ['a child of the agent that is not below this shell', { 14: [0] }, undefined],
    ['a stranger', { 15: [0] }, undefined],
  ])('%s', (_, readers, filter) => {
    expect(filterOf({ dev: 1, ino: 1 }, processes, (pid) => readers[pid] ?? [])).toBe(filter)
  })
})
