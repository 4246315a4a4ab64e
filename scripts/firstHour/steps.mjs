import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES } from './pages.mjs'
import { socketsOf } from './world.mjs'

/**
 * What a newcomer types. `has` is what PATH holds besides Node, npm, git and a shell; `exit` is the exit code that the README promises. A step with a
 * `fork` is shown word for word on the page, under that title.
 * `screen` is what a page shows for the line.
 * @typedef {import('./world.mjs').World} World
 * @typedef {import('./pages.mjs').Shown} Shown
 * @typedef {{
 *   argv: string[], at: 'home' | 'clone' | 'project', has: string[], exit: number, terminal?: boolean, fork?: string, input?: string, screen?: Shown,
 *   env?: (world: World) => Record<string, string>, before?: (world: World) => void,
 * }} Step
 */

/** What this machine needs to reach the registry. It makes every start of Node slower, so nothing else is given it. */
const certificates = () => {
  const path = process.env.NODE_EXTRA_CA_CERTS
  return path === undefined ? {} : { NODE_EXTRA_CA_CERTS: path }
}

const LINK = ['link']
const TMUX = ['link', 'tmux']
const ALL = ['link', 'tmux', 'claude']

/** @type {{ id: string, title: string, steps: Step[] }[]} */
export const PARTS = [
  {
    id: 'setup',
    title: 'From nothing to a green `doctor`',
    steps: [
      {
        argv: ['git', 'clone', '--quiet', join(import.meta.dirname, '..', '..'), 'src/agent-chat'],
        at: 'home',
        has: [],
        exit: 0,
      },
      { argv: ['npm', 'install'], at: 'clone', has: [], exit: 0, env: certificates },
      { argv: ['npm', 'run', 'setup', '--', '--check'], at: 'clone', has: [], exit: 7 },
      {
        argv: ['npm', 'run', 'setup'],
        at: 'clone',
        has: [],
        exit: 7,
        fork: 'No tmux, no Claude Code, not on PATH: `setup`',
      },
      {
        argv: ['npm', 'run', 'setup', '--', '--yes'],
        at: 'clone',
        has: ALL,
        exit: 0,
        fork: 'All that is needed: `setup`',
      },
      { argv: ['agent-chat', 'doctor'], at: 'project', has: ALL, exit: 0 },
    ],
  },
  {
    id: 'day',
    title: 'The first hour',
    steps: [
      ours('', { exit: 0 }),
      ours('frontend', { has: LINK, exit: 7, fork: 'No tmux' }),
      ours('frontend', { has: TMUX, exit: 7, fork: 'No Claude Code' }),
      ours('frontend --no-tmux', { has: LINK, exit: 7, fork: 'Neither' }),
      ours('frontend --cmd codex', {
        has: TMUX,
        exit: 7,
        fork: 'Another agent, which is not there either',
      }),
      ours('who', { exit: 0 }),
      ours('send @frontend hello', { exit: 4, fork: 'Nobody there' }),
      ours('frontend --detach', { exit: 0 }),
      ours('frontend --detach', { exit: 0 }),
      ours('who', { exit: 0 }),
      ours('send @fronted hello', { exit: 4, fork: 'A slip of the name' }),
      ours('send @frontend hello', { exit: 0 }),
      ours('send @frontend hello', { exit: 6, terminal: false, fork: 'A script, which is nobody' }),
      ours('send @frontend', {
        exit: 2,
        terminal: false,
        env: () => ({ AGENT_CHAT_NAME: 'human' }),
      }),
      ours('send', { exit: 2, fork: 'Nothing said' }),
      ours('join frontend', { exit: 8, env: inPane, fork: 'The name is taken' }),
      ours('frontend --no-tmux', { exit: 8 }),
      ours('join human', { exit: 2 }),
      ours('join Docs', { exit: 2 }),
      ours('join docs', { exit: 0, fork: 'A session that nothing can ring' }),
      ours('leave docs', { exit: 0 }),
      ours('inbox', { exit: 0 }),
      ours('inbox', { exit: 6, terminal: false }),
      ours('inbox nobody', { exit: 4 }),
      ours('status', { exit: 0 }),
      ours('status nobody', { exit: 4 }),
      ours('ask @nobody ready?', { exit: 4 }),
      ours('ask @frontend ready? --timeout 1', { exit: 5, fork: 'No answer yet' }),
      ours('reply 2026 yes', { exit: 4 }),
      ours('reply', { exit: 2 }),
      ours('task', { exit: 2 }),
      ours('accept it', { exit: 4 }),
      ours('escalate ready?', { exit: 6 }),
      ours('search', { exit: 2 }),
      ours('show', { exit: 2 }),
      ours('leave', { exit: 6 }),
      ours('watch nobody', { exit: 4 }),
      ours('approve @nobody', { exit: 6 }),
      ours('rename nobody docs', { exit: 4 }),
      ours('watch-file', { exit: 2 }),
      ours('completion', { exit: 2 }),
      ours('console --plain', { exit: 0, terminal: false }),
      ours('list', { exit: 0 }),
      ours('run backend', { exit: 2, fork: 'A word of another program' }),
      ours('chat', { exit: 2 }),
      ours('version', { exit: 2 }),
      ours('-v', { exit: 0 }),
      ours('frontend hello', { exit: 2, fork: 'A message to a name, without a command' }),
      ours('backend --model opus', { exit: 2, fork: 'An option of the agent' }),
      ours('who --all', { exit: 0 }),
      ours('help --all', { exit: 0 }),
      ours('help send', { exit: 0 }),
      ours('-h send', { exit: 0 }),
      ours('help sned', { exit: 2 }),
      ours('who', { exit: 1, env: homeIsFile, fork: 'A home that is a file' }),
      ours('join docs', { exit: 1, env: homeIsFile }),
      ours('join docs', {
        exit: 1,
        env: ({ clone }) => ({ AGENT_CHAT_HOME: clone }),
        fork: 'A home that is a clone',
      }),
    ],
  },
  ...PAGES.map(({ page, lines }) => ({
    id: page,
    title: `${page}, line by line`,
    steps: typed(page, lines),
  })),
]

/** The lines of a page, in a home of its own, and the end of what they have started. @param {string} page @param {{ [line: string]: Shown }} lines @returns {Step[]} */
function typed(page, lines) {
  const env = (/** @type {World} */ world) => ({
    AGENT_CHAT_HOME: join(world.place, page.replace(/\W/g, '-')),
    TMUX_TMPDIR: socketsOf(page, world),
  })
  /** @param {string} line @param {Shown} screen @returns {Step} */
  const step = (line, screen) => ({
    ...{ argv: [line], at: screen.at ?? 'home', has: [...ALL, 'codex'], exit: 0, env, screen },
  })
  return [
    ...Object.entries(lines).flatMap(([line, shown]) => (shown.left ? [] : [step(line, shown)])),
    step('agent-chat stop --all', {}),
  ]
}

/** A line of ours, at a terminal with all that is needed where nothing else is said. @param {string} line @param {Partial<Step> & { exit: number }} step @returns {Step} */
function ours(line, step) {
  return {
    argv: ['agent-chat', ...line.split(' ').filter(Boolean)],
    at: 'project',
    has: ALL,
    terminal: true,
    ...step,
  }
}

/** As in a tmux pane that is not the session's. @param {World} world */
function inPane({ sockets }) {
  return { TMUX: `${join(sockets, 'other')},1,0`, TMUX_PANE: '%999' }
}

/** @param {World} world */
function homeIsFile({ home }) {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'notes.txt'), 'mine\n')
  return { AGENT_CHAT_HOME: join(home, 'notes.txt') }
}
