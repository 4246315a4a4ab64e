import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { putText, textAt, withBlock, withHooks, withoutBlock, withoutHooks } from './agentFiles.ts'
import { isTrusted, withoutTrust } from './agentTrust.ts'

const COMMAND = "node '/x/dist/hook.js' stop codex"
const OURS = [{ event: 'Stop', entry: { hooks: [{ command: COMMAND, timeout: 5 }] } }]
const isOurs = (command: string) => command.includes('/dist/hook.js')
const HIS =
  '{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "his"}]}]}}'

describe('a file of hooks', () => {
  test('keeps what its owner has, and has ours behind it', () => {
    const hooks = JSON.parse(withHooks('f', HIS, OURS)).hooks.Stop
    expect(hooks.map((one: { hooks: { command: string }[] }) => one.hooks[0]?.command)).toEqual([
      ...['his', COMMAND],
    ])
  })

  test('that its owner has changed since loses ours and nothing else', () => {
    const theirs = JSON.parse(withHooks('f', HIS, OURS))
    theirs.other = 1
    const left = withoutHooks('f', JSON.stringify(theirs), isOurs)
    expect(JSON.parse(left ?? '')).toEqual({ ...JSON.parse(HIS), other: 1 })
  })

  test('that was not there is not there again', () => {
    expect(withoutHooks('f', withHooks('f', null, OURS), isOurs)).toBeNull()
    expect(withoutHooks('f', null, isOurs)).toBeNull()
  })

  test('that has none of ours stays as it is, to the byte', () => {
    for (const text of [HIS, '{ "other": 1 }', '{"hooks":{}}'])
      expect(withoutHooks('f', text, isOurs)).toBe(text)
  })

  test.each(['[]', '{', '"x"'])('that holds %s is not touched', (text) =>
    expect(() => withHooks('/a/hooks.json', text, OURS)).toThrow('/a/hooks.json is not JSON'),
  )
})

describe('a block of instructions', () => {
  test.each([null, 'one\n', 'one', '', 'one\n\n\n'])('behind %j goes again', (text) => {
    const left = withoutBlock(withBlock(text, 'words'))
    // The record has the bytes; without it, a newline at the end may be more.
    expect((left ?? '').trimEnd()).toBe((text ?? '').trimEnd())
  })

  test('leaves what was written behind it', () => {
    expect(withoutBlock(`${withBlock('one\n', 'words')}two\n`)).toBe('one\ntwo\n')
  })
})

describe('trust', () => {
  const trust = { '/h:stop:0:0': 'sha256:1' }
  const lines = '\n[hooks.state."/h:stop:0:0"]\ntrusted_hash = "sha256:1"\n'
  test('is taken out of settings that have changed since', () => {
    expect(withoutTrust(`a = 1\n${lines}\n[tui]\n`, trust)).toBe('a = 1\n\n[tui]\n')
    expect(withoutTrust(null, trust)).toBeNull()
  })
  test('is for hooks as they are', () => {
    expect(isTrusted(lines, trust)).toBe(true)
    expect(isTrusted(lines, { x: 'sha256:2' })).toBe(false)
    expect(isTrusted(lines, {})).toBe(false)
    expect(isTrusted(null, trust)).toBe(false)
  })
})

test('a file is replaced where its owner keeps it, with its mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ac-files-'))
  const [real, link] = [join(folder, 'real'), join(folder, 'link')]
  writeFileSync(real, 'before', { mode: 0o640 })
  symlinkSync(real, link)
  putText(link, 'after')
  expect(readFileSync(real, 'utf8')).toBe('after')
  expect(statSync(real).mode & 0o777).toBe(0o640)
  writeFileSync(real, Buffer.from([0xff, 0xfe]))
  expect(() => textAt(link)).toThrow('is not a text file')
})
