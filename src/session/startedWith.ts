import { isAbsolute, resolve } from 'node:path'
import { argumentsOf, directoryOf, environmentOf } from '../system/commandLine.ts'
import { userHome } from '../system/user.ts'
import { projectSettings, type Settings, settingsOf, variablesOf } from './clientSettings.ts'

/** A variable that decides what agent-chat does, or where it looks. */
const OURS = /^(?:AGENT_CHAT_.|HOME$|XDG_)/

/** Those of them that take a guardrail away, or all of them: in another home nobody is a session. */
const OPENS = ['AGENT_CHAT_GATE', 'AGENT_CHAT_CLAIMS', 'HOME']

/** What else takes something from the guardrails: without its record nobody knows who spoke. */
const RECORD = 'CLAUDE_CODE_SKIP_PROMPT_HISTORY'

/** Options of Node under which it runs other code before ours. */
const RUNS_CODE = /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)(?=[\s=]|$)/

/**
 * Variables by which a project has its own program run in the place of ours, or in it. The native
 * program is below HOME, or where XDG_DATA_HOME says.
 */
const RUNS_ITS_OWN =
  /^(?:PATH|HOME|XDG_DATA_HOME|NODE_OPTIONS|SHELLOPTS|(?:LD|DYLD)_\w+|BASH_FUNC_.*)$/

/** A project's file, and the variables in it that do not count, or run what is the project's. */
export type Tried = { path: string; keys: string[] }

/** What tells of a client by its pid; the system's by default. */
type Looks = {
  environmentOf: (pid: number) => NodeJS.ProcessEnv | undefined
  argumentsOf: (pid: number) => string[] | undefined
  directoryOf: (pid: number) => string | undefined
}

const SYSTEM: Looks = { environmentOf, argumentsOf, directoryOf }

/**
 * The environment as far as it counts inside a Claude Code: a variable of ours is what the person
 * started the client with, or what their own settings say. Claude Code puts what a project's
 * settings say into the environment of every hook and command, and that is a repository's word.
 *
 * `AGENT_CHAT_GATE`, `AGENT_CHAT_CLAIMS` and `HOME` are looked at more strictly, since they open:
 * where it is seen how the client was started, nothing else counts. The other variables may be a
 * command's own. A `HOME` that does not count is the client's, else that of the account.
 */
export function countingEnv(env: NodeJS.ProcessEnv, looks: Looks = SYSTEM): NodeJS.ProcessEnv {
  const pid = Number(env.CLAUDE_PID)
  if (!Number.isSafeInteger(pid) || pid <= 1) return env
  const ours = Object.keys(env).filter((key) => OURS.test(key))
  if (ours.length === 0) return env
  const start = looks.environmentOf(pid)
  const cwd = () => env.CLAUDE_PROJECT_DIR ?? looks.directoryOf(pid) ?? ''
  const own = start ?? withoutProject(env, cwd())
  const others = ours.filter((key) => env[key] !== own[key])
  if (others.length === 0) return env
  const settings = settingsOf({
    env: own,
    userHome: userHome(own),
    cwd: cwd(),
    argv: looks.argumentsOf(pid) ?? [],
  })
  const saysSo = (whose: Settings['whose'][], key: string) =>
    settings.some((one) => whose.includes(one.whose) && variablesOf(one)[key] === env[key])
  const counting = { ...env }
  for (const key of others) {
    if (saysSo(['person', 'managed'], key)) continue
    const strict = OPENS.includes(key) && start !== undefined
    if (!strict && !saysSo(['project'], key)) continue
    if (start?.[key] === undefined) delete counting[key]
    else counting[key] = start[key]
  }
  return counting
}

/** What is left of an environment where it is not seen what the client was started with. */
function withoutProject(env: NodeJS.ProcessEnv, project: string): NodeJS.ProcessEnv {
  const set = projectSettings(project).map(variablesOf)
  const isTheirs = ([key, value]: [string, string | undefined]) =>
    set.some((one) => one[key] !== undefined && one[key] === value)
  return Object.fromEntries(Object.entries(env).filter((entry) => !isTheirs(entry)))
}

/** The files of a project that set what does not count, or what the guardrails need. */
export function settingsThatTried(project: string): Tried[] {
  return projectSettings(project).flatMap((settings) => {
    const keys = Object.entries(variablesOf(settings))
      .filter(([key, value]) => weakens(key, String(value), project))
      .map(([key]) => key)
    return keys.length === 0 ? [] : [{ path: settings.path, keys }]
  })
}

function weakens(key: string, value: string, project: string): boolean {
  if (key === 'NODE_OPTIONS') return RUNS_CODE.test(value)
  if (key === 'PATH') return value.split(':').some((folder) => isOfProject(folder, project))
  return OURS.test(key) || key === RECORD || RUNS_ITS_OWN.test(key)
}

/** Whether a folder of the PATH is the project's. An empty one is the working directory. */
function isOfProject(folder: string, project: string): boolean {
  return !isAbsolute(folder) || `${resolve(folder)}/`.startsWith(`${resolve(project)}/`)
}

/** What is said of such a file. */
export function triedLine({ path, keys }: Tried): string {
  const runs = keys.filter((key) => RUNS_ITS_OWN.test(key))
  const others = keys.filter((key) => !runs.includes(key))
  const said = [
    others.length > 0 &&
      `sets ${others.join(', ')}; a project's settings do not count for agent-chat`,
    runs.length > 0 &&
      `sets ${runs.join(', ')}: the project's own program can run in the place of a hook`,
  ]
  return `${path} ${said.filter(Boolean).join('; it ')}`
}
