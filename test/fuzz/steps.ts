import { expect } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import type { Run } from '../../src/testing/cli.ts'
import { runInProcess } from './inProcess.ts'
import {
  inOrder,
  inTime,
  isOpen,
  isPrunable,
  type Model,
  type Owner,
  type Said,
  stateOfTask,
} from './model.ts'

/** The home that the model is held against, with a clock that the steps set. */
export type Real = { bus: Bus; pass: (ms: number) => void }

/**
 * What a generator decides beforehand; which session or message that is, is seen when it is that
 * step's turn.
 */
export type Choice = {
  pick: number
  other: number
  name: string
  body: string
  flags: string[]
  word: string
  count: number
}

/** A text as arguments. A name alone would be a second recipient, which is refused. */
function textOf(body: string): string[] {
  return body.startsWith('@') ? [`--message=${body}`] : ['--', body]
}

/** The steps by their names. */
export const STEPS: Record<string, (model: Model, real: Real, choice: Choice) => Promise<void>> = {
  join: async (model, real, { name }) => {
    await succeed(real, ['join', name, '--no-watch', '--json'])
    const owner = ownerOf(model, name)
    // An old name of another is the newcomer's from now on.
    const taken =
      owner !== undefined && owner.name === name ? owner : { name, unread: [], read: [] }
    model.known.set(name, taken)
    model.registered.set(name, taken)
  },
  leave: async (model, real, { pick }) => {
    const owner = oneOf([...model.registered.values()], pick)
    if (!owner) return refuse(real, ['leave', 'nobody'])
    const { unread } = JSON.parse((await succeed(real, ['leave', owner.name, '--json'])).stdout)
    expect(unread).toBe(owner.unread.length)
    model.registered.delete(owner.name)
  },
  send: async (model, real, { pick, name, body, flags }) => {
    const from = oneOf([...model.registered.values()], pick)
    if (!from) return
    const to = registeredAs(model, name)
    const argv = ['send', `@${name}`, '--as', from.name, '--json', ...flags, ...textOf(body)]
    if (!to) return refuse(real, argv)
    const kind = flags.includes('--question') ? 'question' : 'note'
    takeIn(model, await succeed(real, argv), { from, to, kind, body })
  },
  task: async (model, real, { pick, name, body }) => {
    const from = oneOf([...model.registered.values()], pick)
    if (!from) return
    const to = registeredAs(model, name)
    const argv = ['task', `@${name}`, '--as', from.name, '--json', ...textOf(body)]
    if (!to || to === from) return refuse(real, argv)
    takeIn(model, await succeed(real, argv), { from, to, kind: 'task', body })
  },
  reply: async (model, real, { pick, other, body, flags }) => {
    const answered = oneOf(model.said, pick)
    // Mostly the one who may.
    const by = other > 0 ? answered?.to : oneOf([...model.registered.values()], pick)
    if (!answered || !by || model.registered.get(by.name) !== by) return
    const question = flags.includes('--question')
    const argv = ['reply', answered.id, '--as', by.name, '--json', ...flags, '--', body]
    if (answered.to.name !== by.name || answered.from.name === by.name) return refuse(real, argv)
    const kind = question ? 'question' : answered.kind === 'task' ? 'result' : 'reply'
    takeIn(model, await succeed(real, argv), { from: by, to: answered.from, kind, body, answered })
  },
  /** Two who answer each other until what they say is held. */
  argue: async (model, real, { pick, body }) => {
    for (let times = 0; times < 5; times += 1) {
      const answered = times === 0 ? oneOf(model.said, pick) : model.said.at(-1)
      const by = answered?.to
      if (
        !answered ||
        !by ||
        model.registered.get(by.name) !== by ||
        answered.from.name === by.name
      )
        return
      pass(model, real, 1)
      const argv = ['reply', answered.id, '--as', by.name, '--json', '--question', '--', body]
      takeIn(model, await succeed(real, argv), {
        from: by,
        to: answered.from,
        kind: 'question',
        body,
        answered,
      })
    }
  },
  progress: async (model, real, { pick, body, word }) => {
    const task = oneOf(
      model.said.filter(({ kind, to }) => kind === 'task' && model.registered.get(to.name) === to),
      pick,
    )
    if (!task) return
    const command =
      word === 'accepted'
        ? 'accept'
        : word === 'declined'
          ? 'decline'
          : word === 'failed'
            ? 'fail'
            : 'done'
    const said =
      command === 'done'
        ? ['--', task.id, body]
        : command === 'accept'
          ? [task.id]
          : [task.id, `-m${body}`]
    const argv = [command, '--as', task.to.name, '--json', ...said]
    const state = stateOfTask(model, task)
    const so = state === word || (state === 'working' && word === 'accepted')
    if (so) return void (await succeed(real, argv))
    if (!isOpen(state)) return refuse(real, argv)
    const kind = { accepted: 'note', declined: 'reply', failed: 'result' }[word] ?? 'result'
    takeIn(model, await succeed(real, argv), {
      from: task.to,
      to: task.from,
      kind,
      body,
      answered: task,
      word,
    })
  },
  read: async (model, real, { pick, count, flags }) => {
    const owner = oneOf([...model.known.values()], pick)
    if (!owner) return
    const peek = flags.includes('--quiet')
    const argv = [
      'inbox',
      owner.name,
      '--json',
      ...(count > 0 ? ['--limit', String(count)] : []),
      ...(peek ? ['--peek'] : []),
    ]
    // Whoever is registered under a name is who is meant by it.
    const meant = model.known.get(owner.name) ?? owner
    const due = inOrder(meant.unread).slice(0, count > 0 ? count : undefined)
    const inbox = JSON.parse((await succeed(real, argv)).stdout)
    expect(inbox.messages.map(told)).toEqual(inTime(due).map(expected))
    expect(inbox).toMatchObject({ name: meant.name, unread: meant.unread.length, bad: [] })
    if (!peek) markRead(meant, due)
  },
  readSome: async (model, real, { pick }) => {
    const owner = oneOf([...model.registered.values()], pick)
    if (!owner) return
    const { messages } = JSON.parse(
      (await succeed(real, ['inbox', owner.name, '--json', '--budget', '1024'])).stdout,
    )
    const shown = inOrder(owner.unread).slice(0, messages.length)
    expect(messages.map(({ id }: { id: string }) => id)).toEqual(inTime(shown).map(({ id }) => id))
    if (owner.unread.length > 0) expect(messages.length).toBeGreaterThan(0)
    markRead(owner, shown)
  },
  rename: async (model, real, { pick, name }) => {
    const owner = oneOf([...model.registered.values()], pick)
    if (!owner) return
    const argv = ['rename', owner.name, name, '--json']
    const there = model.known.get(name)
    const free =
      there === undefined ||
      there.name !== name ||
      (!model.registered.has(name) && there.unread.length + there.read.length === 0)
    if (!free) return refuse(real, argv)
    await succeed(real, argv)
    model.registered.delete(owner.name)
    owner.name = name
    model.registered.set(name, owner)
    model.known.set(name, owner)
    if (there?.name === name) takePlace(model, there, owner)
  },
  pause: async (model, real) => {
    await succeed(real, ['pause', '--json'])
    model.paused = true
  },
  resume: async (model, real) => {
    const told = async (...argv: string[]) => JSON.parse((await succeed(real, argv)).stdout)
    const { resumed, paused } = await told('release', '--all', '--yes', '--json')
    const { unpaused } = await told('unpause', '--json')
    const held = heldNow(model)
    expect(resumed.map(({ id }: Said) => id).sort()).toEqual(held.map(({ id }) => id).sort())
    expect({ paused, unpaused }).toEqual({ paused: model.paused, unpaused: model.paused })
    for (const one of held) one.held = false
    for (const { chain } of resumed) model.told.delete(chain)
    model.paused = false
  },
  prune: async (model, real) => {
    const before = model.now - 3_600_000
    const threads = [...new Set(model.said.map(({ thread }) => thread))].filter((thread) =>
      isPrunable(model, thread, before),
    )
    const gone = model.said.filter(({ thread }) => threads.includes(thread))
    const pruned = JSON.parse(
      (await succeed(real, ['prune', '--older-than', '1h', '--json'])).stdout,
    )
    expect([pruned.threads, pruned.messages]).toEqual([threads.length, gone.length])
    model.said = model.said.filter((one) => !gone.includes(one))
    for (const owner of everyone(model))
      owner.read = owner.read.filter((one) => !gone.includes(one))
  },
  wait: async (model, real, { pick }) => pass(model, real, 15_000 * (pick % 700)),
}

/** Everyone who ever had an inbox. */
export function everyone(model: Model): Owner[] {
  return [
    ...new Set([...model.known.values(), ...model.said.flatMap(({ from, to }) => [from, to])]),
  ]
}

export function heldNow(model: Model): Said[] {
  return model.said.filter((one) => one.held && one.to.unread.includes(one))
}

/** Lets time go by, on both sides. */
export function pass(model: Model, real: Real, ms: number): void {
  real.pass(ms)
  model.now += ms
}

/** A message as commands print it, and as the model has it. */
export function told(message: Record<string, unknown>): unknown[] {
  return [
    message.id,
    message.from,
    message.to,
    message.kind,
    message.body,
    message.thread,
    message.in_reply_to,
  ]
}

export function expected({ id, from, to, kind, body, thread, inReplyTo }: Said): unknown[] {
  return [id, from.name, to.name, kind, body, thread, inReplyTo]
}

type Sending = {
  from: Owner
  to: Owner
  kind: string
  body: string
  answered?: Said
  word?: string
}

/**
 * A message that was sent, into the model. What the program says of it must be what was asked for.
 */
function takeIn(
  model: Model,
  { stdout }: Run,
  { from, to, kind, body, answered, word }: Sending,
): void {
  const sent = JSON.parse(stdout)
  const text = word === 'accepted' ? sent.body : body
  const thread = answered?.thread ?? sent.id
  const place =
    sent.ring === 'quiet' ? 2 : sent.priority === 'urgent' && sent.ring !== 'held' ? 0 : 1
  const said: Said = {
    id: sent.id,
    from,
    to,
    kind,
    body: text,
    thread,
    inReplyTo: answered?.id,
    word,
    place,
    held: sent.ring === 'held',
    at: model.now,
  }
  expect(told(sent)).toEqual(expected(said))
  expect(model.said.every(({ id }) => id < said.id)).toBe(true)
  model.said.push(said)
  to.unread.push(said)
  if (!said.held || model.told.has(sent.chain)) return
  model.told.add(sent.chain)
  model.notes += 1
}

/**
 * Who gets the name of one who has left stands for it, as one who joins under it does: in what it
 * has said and heard, and for the names that it had before.
 */
function takePlace(model: Model, left: Owner, heir: Owner): void {
  for (const one of model.said) {
    if (one.from === left) one.from = heir
    if (one.to === left) one.to = heir
  }
  for (const [name, owner] of model.known) if (owner === left) model.known.set(name, heir)
}

function markRead(owner: Owner, messages: Said[]): void {
  owner.unread = owner.unread.filter((one) => !messages.includes(one))
  owner.read.push(...messages)
}

/** The session that a name stands for now, registered or not. */
function ownerOf(model: Model, name: string): Owner | undefined {
  return model.known.get(name)
}

/** The session that a message to this name goes to, or undefined where it is refused. */
function registeredAs(model: Model, name: string): Owner | undefined {
  const owner = model.registered.get(name) ?? ownerOf(model, name)
  return owner && model.registered.get(owner.name) === owner ? owner : undefined
}

function oneOf<T>(list: T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)]
}

async function succeed({ bus }: Real, argv: string[]): Promise<Run> {
  const run = await runInProcess(bus, argv)
  expect({ argv, code: run.code, stderr: run.code === 0 ? '' : run.stderr }).toEqual({
    argv,
    code: 0,
    stderr: '',
  })
  return run
}

/**
 * What is refused says why, and changes nothing: that is seen when the home is held against the
 * model.
 */
async function refuse({ bus }: Real, argv: string[]): Promise<void> {
  const { code, stdout, stderr } = await runInProcess(bus, argv)
  expect([2, 3, 4, 8], `${argv.join(' ')}: ${stderr}`).toContain(code)
  expect(stdout).toBe('')
}
