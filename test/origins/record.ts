import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { World } from '../e2e/harness/world.ts'
import { folded, type Line, mapped, type Recording, type Step } from './recording.ts'

/** Notes what a client tells its hooks, and what it writes into its record. */
export interface Recorder {
  /** Plugins for the client; none where nothing is recorded. */
  readonly plugins: readonly string[]
  /** What came before is none of the recording. */
  begin(): Promise<void>
  /** What was told since. */
  take(facts: Omit<Recording, 'known' | 'steps'>): Recording
}

/** `npm run evidence:trust -- --record` */
const ON = process.env.AGENT_CHAT_E2E_RECORD !== undefined

const WORDS = { UserPromptSubmit: 'user-prompt-submit', PreToolUse: 'pre-tool-use' } as const

export const RECORDED = join(import.meta.dirname, 'recorded.json')

/** What of the record speaks of prompts; the rest is the client's own. */
const TOLD = /"type":"(?:user|queue-operation)"|"queued_command"/

export async function recorderIn({ dir, chat, home }: World): Promise<Recorder> {
  const folder = join(dir, 'told')
  const plugin = join(dir, 'recorder')
  if (ON) writePlugin(plugin, folder)
  let since = 0
  const sizes = new Map<string, number>()
  let known: Record<string, unknown> = {}
  return {
    plugins: ON ? [plugin] : [],
    begin: async () => {
      if (!ON) return
      since = Date.now()
      for (const path of recordsIn(home)) sizes.set(path, statSync(path).size)
      known = knownIn(join(chat, 'state', 'frontend.json'))
    },
    take: (facts) => {
      const hooks = hooksIn(folder).filter(({ at }) => at >= since)
      const path = String(hooks.at(-1)?.payload.transcript_path)
      const from = sizes.get(path) ?? 0
      const steps = stepsOf(hooks, linesIn(path, from))
      const plain = (text: string) =>
        text
          .replaceAll(dir, '<dir>')
          .replaceAll(dir.replaceAll(/[/_.]/g, '-'), '<folder>')
          .replaceAll(homedir(), '<home>')
          .replaceAll(userInfo().username, '<user>')
      return {
        ...facts,
        ...(folded(mapped({ known, steps }, plain)) as Pick<Recording, 'steps'>),
      } as Recording
    },
  }
}

/** Puts these in place of those of the same origins. */
export function keepRecordings(recordings: readonly Recording[]): void {
  const known: Recording[] = existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : []
  const others = known.filter(({ origin }) => recordings.every((one) => one.origin !== origin))
  const lines = [...others, ...recordings]
    .sort((a, b) => (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : a.size - b.size))
    .map((one) => JSON.stringify(one))
  writeFileSync(RECORDED, `[\n${lines.join(',\n')}\n]\n`)
}

type Told = {
  at: number
  size: number
  word: Step['hook']
  payload: Record<string, unknown>
  panel: string | undefined
}

/** A plugin whose hooks keep their payload, the length of the record, and the panel's last note. */
function writePlugin(plugin: string, folder: string): void {
  for (const path of [join(plugin, '.claude-plugin'), join(plugin, 'hooks'), folder])
    mkdirSync(path, { recursive: true })
  const script = join(plugin, 'keep.sh')
  writeFileSync(
    script,
    `f="${folder}/$(date +%s%3N)-$1-$$"
cat > "$f.part"
t=$(head -c 2000 "$f.part" | sed -n 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/p')
stat -c %s "$t" > "$f.size" 2> /dev/null
cat "$AGENT_CHAT_HOME"/rooms/*.prompt > "$f.panel" 2> /dev/null
mv "$f.part" "$f.json"
`,
  )
  const hook = (event: string) => [
    { hooks: [{ type: 'command', command: `sh '${script}' ${event}`, timeout: 10 }] },
  ]
  const hooks = Object.fromEntries(Object.keys(WORDS).map((event) => [event, hook(event)]))
  writeFileSync(join(plugin, 'hooks', 'hooks.json'), JSON.stringify({ hooks }))
  writeFileSync(
    join(plugin, '.claude-plugin', 'plugin.json'),
    '{"name":"recorder","version":"1.0.0","description":"keeps payloads"}',
  )
}

function hooksIn(folder: string): Told[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => {
    const [at, event] = basename(name, '.json').split('-') as [string, keyof typeof WORDS]
    const textOf = (kind: string) => {
      const path = join(folder, name.replace(/json$/, kind))
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }
    const panel = /"kind":"([^"]*)"/.exec(textOf('panel'))?.[1]
    return {
      ...{ at: Number(at), size: Number(textOf('size')), word: WORDS[event] },
      ...{ payload: JSON.parse(textOf('json')), panel },
    }
  })
}

type Written = { at: number; end: number; entry: Record<string, unknown> }

/** The lines of a record that speak of prompts, from a byte on; where each ends, and its time. */
function linesIn(path: string, from: number): Written[] {
  let end = from
  return readFileSync(path)
    .subarray(from)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      end += Buffer.byteLength(line) + 1
      if (line === '' || !TOLD.test(line)) return []
      const entry = JSON.parse(line)
      return [{ at: Date.parse(entry.timestamp), end, entry }]
    })
}

/** Each hook, after the lines that were there by then: a call waits for what is on its way. */
function stepsOf(hooks: Told[], lines: Written[]): Step[] {
  const left = [...lines]
  return hooks.map(({ at, size, word, payload, panel }, index) => {
    const before = hooks[index - 1]?.at ?? 0
    const isThere = (line: Written) =>
      line.end <= size || (word === 'pre-tool-use' && line.at <= at)
    const count = left.findLastIndex(isThere) + 1
    const own: Line[] = left.splice(0, count).map((line) => ({
      entry: { ...line.entry, timestamp: '<time>' },
      ...(line.at < before ? { early: true as const } : {}),
    }))
    return { lines: own, hook: word, payload, ...(panel === undefined ? {} : { panel }) }
  })
}

function recordsIn(home: string): string[] {
  const folder = join(home, '.claude', 'projects')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.jsonl')).map((file) => join(folder, file))
}

function knownIn(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  const { tasks, scheduled, schedules } = JSON.parse(readFileSync(path, 'utf8'))
  return { tasks, scheduled, schedules }
}
