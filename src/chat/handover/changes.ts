import { basename } from 'node:path'
import { eventsFromEnd, isSent } from '../../bus/history.ts'
import { readMessageFile } from '../../bus/mail/inbox.ts'
import { CodedError } from '../../errors.ts'
import { findProgram } from '../../system/programs.ts'
import type { Ports } from '../ports.ts'
import { GIT_MS, type Git, runGit, withoutFilters } from './git.ts'

/**
 * What has changed in a repository, to be put below a handover, and the commit that it ends with.
 */
export type Changes = { text: string; head: string }

type ChangePorts = Pick<Ports, 'env' | 'cwd' | 'bus'>

/**
 * What is told at the most: commits and files; and how many commits, where there was no handover
 * before.
 */
const MAX_COMMITS = 30
const MAX_FILES = 40
const FIRST_COMMITS = 10
/**
 * A submodule counts by its commit. To see what is changed in it, git would run in it, by its
 * configuration.
 */
const IN_SUBMODULES = '--ignore-submodules=dirty'
/** How many earlier handovers are looked at for one of this repository. */
const MAX_EARLIER = 50

/**
 * The commit that the repository of this directory is at, or undefined where there is none to be
 * had.
 */
export async function currentHead(ports: ChangePorts): Promise<string | undefined> {
  if (findProgram('git', ports.env) === undefined) return undefined
  const { code, stdout } = await runGit(ports, ['rev-parse', '--verify', 'HEAD^{commit}'])
  return code === 0 ? stdout.trim() : undefined
}

/**
 * The commits and the changed files of this directory's repository since the last handover from one
 * session to another; without one, of the last ten commits. What is not committed counts. Throws
 * `NO_REPOSITORY`, `PROGRAM_MISSING`, or `TIMED_OUT` where git takes too long.
 */
export async function changesSince(from: string, to: string, ports: ChangePorts): Promise<Changes> {
  const git = await gitIn(ports)
  const root = await git('rev-parse', '--show-toplevel')
  const head = root === undefined ? undefined : await git('rev-parse', '--verify', 'HEAD^{commit}')
  if (root === undefined || head === undefined) throw noRepository(root)
  const since = await lastHandover(git, from, to, ports)
  const base = since?.commit ?? (await firstBase(git))
  const range = since || (await isCommit(git, base)) ? `${base}..${head}` : head
  const log = await git('log', '--oneline', '--no-decorate', '-n', String(MAX_COMMITS + 1), range)
  const shown = [
    '--no-ext-diff',
    '--no-textconv',
    IN_SUBMODULES,
    '--stat=100',
    `--stat-count=${MAX_FILES}`,
  ]
  const stat = await git('diff', ...shown, base)
  const open = (await git('status', '--porcelain', '--untracked-files=normal', IN_SUBMODULES)) ?? ''
  const what = since
    ? `Changed since the last handover (${since.at.slice(0, 16)}Z)`
    : 'Changed in the last commits'
  const lines = [...commitLines(log ?? ''), stat ?? '', uncommitted(open)].filter(
    (text) => text.trim() !== '',
  )
  const said = lines.length === 0 ? 'nothing' : lines.join('\n')
  return {
    text: `**${what}**, ${basename(root)} at ${head.slice(0, 10)}:\n\`\`\`\n${said}\n\`\`\``,
    head,
  }
}

/**
 * Runs git here, by its arguments, with nothing of the repository's own that would run a program.
 * Undefined where it refuses.
 */
async function gitIn(ports: ChangePorts): Promise<Git> {
  if (findProgram('git', ports.env) === undefined) {
    throw new CodedError('PROGRAM_MISSING', 'git is not installed', {
      hint: 'install it, or leave out --with-diffstat',
    })
  }
  return gitWith(ports, await withoutFilters(gitWith(ports, {}), ports.env))
}

function gitWith(ports: ChangePorts, variables: NodeJS.ProcessEnv): Git {
  return async (...args) => {
    const { code, stdout } = await runGit(ports, args, variables)
    if (code === undefined) {
      throw new CodedError(
        'TIMED_OUT',
        `git ${args[0]} took more than ${GIT_MS / 1000} seconds; nothing was sent`,
        { hint: 'try again, or leave out --with-diffstat' },
      )
    }
    return code === 0 ? stdout.trimEnd() : undefined
  }
}

/**
 * The commit at which the last handover of this repository was sent: the one that it names, else
 * the last one before its time.
 */
async function lastHandover(
  git: Git,
  from: string,
  to: string,
  { bus }: ChangePorts,
): Promise<{ commit: string; at: string } | undefined> {
  const { home } = bus()
  let looked = 0
  for (const event of eventsFromEnd(home)) {
    if (!isSent(event) || event.from !== from || event.to !== to || event.kind !== 'handover')
      continue
    const message = readMessageFile(home.message(event.id), `${event.id}.md`, home)
    const named = typeof message === 'object' ? message.extra.git_head : undefined
    const commit =
      typeof named === 'string'
        ? named
        : await git('rev-list', '-1', `--before=${event.at}`, 'HEAD')
    if (commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) && (await isCommit(git, commit)))
      return { commit, at: event.at }
    looked += 1
    if (looked === MAX_EARLIER) break
  }
  return undefined
}

/** Ten commits back, or, in a younger repository, the empty tree from which it began. */
async function firstBase(git: Git): Promise<string> {
  const back = await git('rev-parse', '--verify', '--quiet', `HEAD~${FIRST_COMMITS}^{commit}`)
  return back ?? (await git('hash-object', '-t', 'tree', '/dev/null')) ?? 'HEAD'
}

async function isCommit(git: Git, name: string): Promise<boolean> {
  return (await git('cat-file', '-e', `${name}^{commit}`)) !== undefined
}

function commitLines(log: string): string[] {
  const lines = log === '' ? [] : log.split('\n')
  return lines.length <= MAX_COMMITS
    ? lines
    : [...lines.slice(0, MAX_COMMITS), '… and older commits']
}

function uncommitted(status: string): string {
  const files = status === '' ? [] : status.split('\n')
  const fresh = files.filter((line) => line.startsWith('??')).length
  if (files.length === 0) return ''
  return `not committed: ${files.length} path${files.length === 1 ? '' : 's'}${fresh === 0 ? '' : `, ${fresh} of them new and not in the figures`}`
}

function noRepository(root: string | undefined): CodedError {
  const why =
    root === undefined
      ? 'this directory is in no git repository'
      : 'this git repository has no commit yet'
  return new CodedError('NO_REPOSITORY', `${why}; nothing was sent`, {
    hint: 'run it inside the repository, or leave out --with-diffstat',
  })
}
