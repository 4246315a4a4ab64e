import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Place } from './definition.ts'
import { parseDefinition } from './parse.ts'
import { SHIPPED } from './shipped.ts'

const HOME: Place = {
  path: '/home/me/agent-chat/agents/coder.md',
  source: 'home',
  userHome: '/home/me',
}

const BODY = `# Coder

## Description

Writes code.

## Allowed Tools

- read
- bash

## System Prompt

Be brief.
`

const parse = (text: string, place: Partial<Place> = {}) =>
  parseDefinition(text, { ...HOME, ...place })
const withFront = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n${BODY}`
const textsOf = ({ findings }: ReturnType<typeof parse>) =>
  findings.map(({ level, text }) => `${level}: ${text}`)

describe('a definition', () => {
  test('is a title, a description, tools and a prompt; the rest has defaults', () => {
    expect(parse(BODY)).toEqual({
      findings: [],
      definition: {
        name: 'coder',
        path: HOME.path,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        source: 'home',
        title: 'Coder',
        description: 'Writes code.',
        tools: ['Read', 'Bash'],
        words: ['read', 'bash'],
        createsOnly: false,
        prompt: 'Be brief.',
        autoStart: false,
        persistent: false,
        maxIdleSeconds: 600,
        timeoutSeconds: 1800,
        trust: 'ask',
        capabilities: [],
      },
    })
  })

  test('takes all settings from its front matter, as text or as lists', () => {
    const { definition, findings } = parse(
      withFront(
        ...['model: claude-opus-5-5[1m]', 'cwd: ~/src/api', 'auto_start: true', 'persistent: true'],
        ...['max_idle_seconds: 60', 'timeout_seconds: 90', 'max_turns: 12', 'budget_usd: 2.50'],
        ...['trust: tools', 'schedule: "*/15 * * * *"', 'prompt: Look around.'],
        'capabilities: [go, sql]',
      ),
    )
    expect(findings).toEqual([])
    expect(definition).toMatchObject({
      model: 'claude-opus-5-5[1m]',
      cwd: '/home/me/src/api',
      autoStart: true,
      persistent: true,
      maxIdleSeconds: 60,
      timeoutSeconds: 90,
      maxTurns: 12,
      budgetUsd: 2.5,
      trust: 'tools',
      schedule: '*/15 * * * *',
      scheduledPrompt: 'Look around.',
      capabilities: ['go', 'sql'],
    })
    expect(parse(withFront('capabilities: go, sql')).definition?.capabilities).toEqual([
      'go',
      'sql',
    ])
  })

  test('of a repository works in it, and below it', () => {
    const place: Partial<Place> = { source: 'repository', base: '/src/api' }
    expect(parse(BODY, place).definition?.cwd).toBe('/src/api')
    expect(parse(withFront('cwd: web'), place).definition?.cwd).toBe('/src/api/web')
    expect(textsOf(parse(withFront('cwd: web')))).toEqual([
      'error: cwd is "web", not an absolute directory, or one below ~',
    ])
  })

  test('is the same with the line ends of Windows and a byte order mark', () => {
    const windows = `\ufeff${withFront('model: opus').replaceAll('\n', '\r\n')}`
    expect(parse(windows).definition).toMatchObject({ model: 'opus', prompt: 'Be brief.' })
  })

  test('has another hash with every change, in what comes after the prompt too', () => {
    expect(parse(`${BODY}\n`).definition?.hash).not.toBe(parse(BODY).definition?.hash)
  })
})

describe('the system prompt', () => {
  test('may have headings, and text in fences that looks like ours', () => {
    const prompt = '# Rules\n\n## Style\n\nShort.\n\n```md\n## Allowed Tools\n\n- edit\n```\n\nEnd.'
    const { definition } = parse(BODY.replace('Be brief.', prompt))
    expect(definition).toMatchObject({ prompt, tools: ['Read', 'Bash'] })
  })

  test('ends where another of the sections begins, in any order', () => {
    const text = '# A\n## System Prompt\nOne.\n## description\nTwo.\n## Allowed tools\n* grep\n'
    expect(parse(text).definition).toMatchObject({
      prompt: 'One.',
      description: 'Two.',
      tools: ['Grep'],
    })
  })
})

describe('findings', () => {
  test.each([
    [[], 'error: "# Title" is missing', BODY.replace('# Coder', '')],
    [[], 'error: "## Description" is missing', BODY.replace('Writes code.', '')],
    [[], 'error: "## System Prompt" is missing', BODY.replace('## System Prompt', '')],
    [[], 'error: "## Allowed Tools" is missing', BODY.replace('## Allowed Tools', '')],
    [[], 'error: the section "## Description" is there twice', `${BODY}\n## Description\nMore.`],
    [[], 'error: no tool is allowed: an agent needs one at least', BODY.replace(/- \w+\n/g, '')],
    [['max_turns: many'], 'error: max_turns is "many", not a whole number from 1'],
    [['max_turns: 0'], 'error: max_turns is "0", not a whole number from 1'],
    [['budget_usd: 0'], 'error: budget_usd is "0", not dollars a day, for example 2.50'],
    [['auto_start: yes'], 'error: auto_start is "yes", not true or false'],
    [['trust: all'], 'error: trust is "all", not ask or tools'],
    [['model: --dangerously'], 'error: model is "--dangerously", not the name of a model'],
    [['model: [a]'], 'error: model is ["a"], not the name of a model'],
    [['cwd:'], 'error: cwd is null, not an absolute directory'],
    [['schedule: "61 * * * *"', 'prompt: x'], 'error: schedule is "61 * * * *", not five fields'],
    [['schedule: "* * * * *"'], 'error: schedule has no prompt: a run needs a text'],
    [['capabilities: {a: b}'], 'error: capabilities is not a list of words'],
    [['model: a', 'model: b'], 'error: its header is not YAML (duplicated mapping key'],
    [['model: ['], 'error: its header is not YAML'],
  ])('%j: %s', (front: string[], text, body = withFront(...front)) => {
    const parsed = parse(body)
    expect(parsed.definition).toBeUndefined()
    expect(textsOf(parsed).join('\n')).toContain(text)
  })

  test.each([
    ['modle: opus', 'warning: unknown setting "modle"', 'did you mean model?'],
    ['colour: red', 'warning: unknown setting "colour"', 'the settings are: model, cwd, '],
    ['prompt: x', 'warning: prompt has no schedule, so it is never used', ''],
  ])('%s is only a warning', (line, text, hint) => {
    const parsed = parse(withFront(line))
    expect(textsOf(parsed)).toEqual([text])
    expect(parsed.findings[0]?.hint ?? '').toContain(hint)
    expect(parsed.definition).toBeDefined()
  })

  test('a tool that is not known is left out, with a warning; alone it is none', () => {
    const some = parse(
      BODY.replace('- bash', '- bahs\n- Grep: search\n- `edit`, create\n1. mcp__db__query'),
    )
    expect(textsOf(some)).toEqual(['warning: unknown tool "bahs": the agent does not have it'])
    expect(some.findings[0]?.hint).toBe('did you mean: - bash')
    expect(some.definition?.tools).toEqual(['Read', 'Grep', 'Edit', 'Write', 'mcp__db__query'])
    expect(parse(BODY.replace('- read\n- bash', '- teleport')).definition).toBeUndefined()
  })

  test.each(['Coder', 'co_der', '1st', 'human', 'agents'])(
    'a file named %s.md defines nobody',
    (name) => {
      const parsed = parse(BODY, { path: `/x/${name}.md` })
      expect(parsed.definition).toBeUndefined()
      expect(parsed.findings).toMatchObject([
        { level: 'error', hint: expect.stringContaining('rename') },
      ])
    },
  )

  test('front matter of another language is not run', () => {
    const parsed = parse(`---js\n({ model: process.exit(9) })\n---\n${BODY}`)
    expect(textsOf(parsed)[0]).toBe('error: its front matter is not plain YAML')
  })

  test('whatever a file says, there is a definition or an error', () => {
    const pieces = fc.constantFrom(
      '---\n',
      '# A\n',
      '## Description\n',
      '## Allowed Tools\n',
      '## System Prompt\n',
      '```\n',
      '- read\n',
      'model: x\n',
    )
    const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 14 })
    fc.assert(
      fc.property(texts, (parts) => {
        const { definition, findings } = parse(parts.join(''))
        const isWrong = findings.some(({ level }) => level === 'error')
        expect(definition === undefined).toBe(isWrong)
        if (definition) expect(definition.tools.length).toBeGreaterThan(0)
      }),
    )
  })
})

test.each(SHIPPED)('the agent $name that is shipped has no finding', ({ name, text }) => {
  const { definition, findings } = parse(text, { path: `/x/${name}.md` })
  expect(findings).toEqual([])
  const builds = ['frontend', 'backend'].includes(name)
  expect(definition?.tools.includes('Bash')).toBe(builds)
  expect(definition?.trust).toBe('ask')
})
