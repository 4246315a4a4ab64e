import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { eventsOf, tempBus, tempDirectory } from '../../testing/home.ts'
import { allowDefinition, revokeDefinition } from './allow.ts'
import { initAgents } from './init.ts'
import { listDefinitions, requireDefinition } from './list.ts'

const text = (title: string) =>
  `# ${title}\n\n## Description\n\nx\n\n## Allowed Tools\n\n- read\n\n## System Prompt\n\nx\n`

function write(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** A home, and a repository with a directory in it. */
function world() {
  const bus = tempBus()
  const repository = tempDirectory()
  mkdirSync(join(repository, '.git'))
  mkdirSync(join(repository, 'src'))
  const cwd = join(repository, 'src')
  const ports = { bus: (): Bus => bus, env: {}, cwd, typed: 'terminal' as const }
  const shared = (name: string) => join(repository, '.agent-chat', 'agents', `${name}.md`)
  const rows = () =>
    listDefinitions(ports, ports.cwd).map(
      ({ name, source, status }) => `${name} ${source} ${status}`,
    )
  return { bus, ports, shared, rows, own: (name: string) => bus.home.agentFile(name) }
}

const code = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return undefined
}

describe('definitions', () => {
  test('are those of the home and of the repository around, by name', () => {
    const { rows, own, shared } = world()
    expect(rows()).toEqual([])
    write(own('planner'), text('P'))
    write(own('coder'), `${text('C')}\n`)
    write(shared('tester'), text('T'))
    write(join(dirname(own('x')), 'README.md'), 'how we do it')
    write(join(dirname(own('x')), 'notes.txt'), 'x')
    expect(rows()).toEqual([
      'coder home valid',
      'planner home valid',
      'tester repository not allowed',
    ])
  })

  test('of the home are used before those of a repository', () => {
    const { rows, ports, own, shared } = world()
    write(own('coder'), text('Mine'))
    write(shared('coder'), text('Theirs'))
    expect(rows()).toEqual(['coder home valid', 'coder repository hidden'])
    expect(requireDefinition('coder', ports).title).toBe('Mine')
  })

  test('of directories above the repository are none of its', () => {
    const { rows, ports, shared } = world()
    const outer = dirname(dirname(dirname(shared('x'))))
    write(shared('coder'), text('C'))
    mkdirSync(join(outer, 'vendor', 'lib', '.git'), { recursive: true })
    ports.cwd = join(outer, 'vendor', 'lib')
    expect(rows()).toEqual([])
    ports.cwd = join(outer, 'vendor')
    expect(rows()).toHaveLength(1)
  })

  test('may be links; what cannot be read is invalid and says why', () => {
    const { bus, ports, own } = world()
    mkdirSync(bus.home.agents)
    symlinkSync(write(join(tempDirectory(), 'a.md'), text('A')), own('linked'))
    symlinkSync('/nowhere/a.md', own('broken'))
    symlinkSync('/dev/zero', own('endless'))
    mkdirSync(own('folder'))
    write(own('long'), 'x'.repeat(300_000))
    const found = listDefinitions(ports, ports.cwd).map(
      ({ name, findings }) => `${name}: ${findings.map((one) => one.text).join()}`,
    )
    expect(found).toEqual([
      'broken: the file cannot be read (ENOENT)',
      'endless: the file is not a plain file',
      'folder: the file is not a plain file',
      'linked: ',
      'long: the file is longer than 262144 bytes',
    ])
  })
})

describe('a definition is required', () => {
  test('and is unknown, or has errors', () => {
    const { ports, own } = world()
    expect(code(() => requireDefinition('coder', ports))).toBe('AGENT_UNKNOWN')
    write(own('coder'), '# Coder\n')
    expect(() => requireDefinition('coder', ports)).toThrow(
      /^the definition of @coder cannot be used: "## Allowed Tools" is missing, and 2 more \(.*coder\.md\)$/,
    )
    expect(code(() => requireDefinition('coder', ports))).toBe('DEFINITION_INVALID')
    expect(() => requireDefinition('codre', ports)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('did you mean @coder?') }),
    )
  })

  test('and is a repository’s: not before the human’s yes, nor after a change', () => {
    const { bus, ports, rows, shared } = world()
    const path = write(shared('coder'), text('C'))
    expect(code(() => requireDefinition('coder', ports))).toBe('GATE_REFUSED')
    expect(allowDefinition('coder', ports).path).toBe(path)
    expect(requireDefinition('coder', ports).cwd).toBe(join(path, '..', '..', '..'))
    expect(eventsOf(bus.home, 'agent-allowed')).toMatchObject([{ name: 'coder', path }])
    write(path, text('Changed'))
    expect(rows()).toEqual(['coder repository changed'])
    expect(code(() => requireDefinition('coder', ports))).toBe('GATE_REFUSED')
    allowDefinition('coder', ports)
    expect(requireDefinition('coder', ports).title).toBe('Changed')
    expect(revokeDefinition('coder', ports)).toEqual([path])
    expect(code(() => requireDefinition('coder', ports))).toBe('GATE_REFUSED')
  })

  test('and is found from elsewhere once it is allowed', () => {
    const { ports, rows, shared } = world()
    write(shared('coder'), text('C'))
    const elsewhere = tempDirectory()
    expect(code(() => requireDefinition('coder', { ...ports, cwd: elsewhere }))).toBe(
      'AGENT_UNKNOWN',
    )
    allowDefinition('coder', ports)
    ports.cwd = elsewhere
    expect(rows()).toEqual(['coder repository valid'])
    expect(requireDefinition('coder', ports).title).toBe('C')
  })

  test('and the yes is kept outside of the repository: what it says of itself counts for nothing', () => {
    const { bus, ports, shared } = world()
    const path = write(shared('coder'), text('C'))
    write(join(dirname(path), '..', '@trusted.json'), JSON.stringify({ [path]: { name: 'coder' } }))
    expect(code(() => requireDefinition('coder', ports))).toBe('GATE_REFUSED')
    mkdirSync(bus.home.workers)
    for (const broken of ['{', '[]', '3', JSON.stringify({ [path]: { name: 'coder' } })]) {
      writeFileSync(bus.home.trusted, broken)
      expect(code(() => requireDefinition('coder', ports))).toBe('GATE_REFUSED')
    }
  })
})

test('init writes the agents to begin with, and keeps what is there', () => {
  const { ports, rows, own } = world()
  write(own('planner'), text('Mine'))
  const { written, kept } = initAgents(ports)
  expect(kept).toEqual([own('planner')])
  expect(written).toHaveLength(6)
  expect(readFileSync(own('planner'), 'utf8')).toBe(text('Mine'))
  expect(rows().filter((row) => row.endsWith(' home valid'))).toHaveLength(7)
  expect(initAgents(ports).written).toEqual([])
})
