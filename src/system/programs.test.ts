import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { findInstaller, findProgram, tmuxHint } from './programs.ts'

describe('programs', () => {
  const place = (...names: string[]) => {
    const path = tempDirectory()
    for (const name of names) {
      writeFileSync(`${path}/${name}`, '')
      chmodSync(`${path}/${name}`, 0o755)
    }
    return path
  }

  test('are found where PATH names them first, and only when they can be run', () => {
    const [first, second] = [place(), place('tmux')]
    writeFileSync(`${first}/tmux`, '')
    chmodSync(`${first}/tmux`, 0o644)
    mkdirSync(`${first}/claude`)
    expect(findProgram('tmux', { PATH: `${first}:${second}` })).toBe(`${second}/tmux`)
    expect(findProgram('claude', { PATH: first })).toBeUndefined()
    expect(findProgram('tmux', {})).toBeUndefined()
    expect(findProgram('tmux', { PATH: '' })).toBeUndefined()
  })

  test.each([
    ['apt-get', /apt-get install -y tmux$/],
    ['dnf', /dnf install -y tmux$/],
    ['pacman', /pacman -S --noconfirm tmux$/],
    ['brew', /brew install tmux$/],
  ])('%s installs what is missing', (name, line) => {
    const env = { PATH: place(name) }
    expect(findInstaller(env)?.name).toBe(name)
    expect(tmuxHint(env)).toMatch(line)
  })

  test('without a package manager the hint still says what is needed', () => {
    expect(findInstaller({ PATH: place() })).toBeUndefined()
    expect(tmuxHint({ PATH: place() })).toContain('tmux 3.0')
  })
})
