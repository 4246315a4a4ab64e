import { isAbsolute, join } from 'node:path'
import { isModel } from '../../agents/model.ts'
import type { FieldValue } from '../../message/message.ts'
import { nearest } from '../../message/nearest.ts'
import { isBlank } from '../../message/visible.ts'
import { cronTrouble } from '../clock/calendar.ts'
import type { Finding, Place, Settings } from './definition.ts'

const DEFAULTS: Settings = {
  autoStart: false,
  persistent: false,
  maxIdleSeconds: 600,
  timeoutSeconds: 1800,
  trust: 'ask',
  capabilities: [],
}

type Found = Partial<Settings> | undefined

/** A setting: what is expected, and how it is read; undefined for anything else. */
type Setting = { expected: string; read: (text: string, place: Place) => Found }

const WHOLE = 'a whole number from 1'
const YES_NO = 'true or false'

const SETTINGS: Record<string, Setting> = {
  model: {
    expected: 'the name of a model, for example opus',
    read: (text) => (isModel(text) ? { model: text } : undefined),
  },
  cwd: {
    expected: 'an absolute directory, or one below ~',
    read: (text, place) => {
      const cwd = directoryOf(text, place)
      return cwd === undefined ? undefined : { cwd }
    },
  },
  auto_start: { expected: YES_NO, read: (text) => flag(text, (autoStart) => ({ autoStart })) },
  persistent: { expected: YES_NO, read: (text) => flag(text, (persistent) => ({ persistent })) },
  max_idle_seconds: {
    expected: WHOLE,
    read: (text) => whole(text, (maxIdleSeconds) => ({ maxIdleSeconds })),
  },
  timeout_seconds: {
    expected: WHOLE,
    read: (text) => whole(text, (timeoutSeconds) => ({ timeoutSeconds })),
  },
  max_turns: { expected: WHOLE, read: (text) => whole(text, (maxTurns) => ({ maxTurns })) },
  budget_usd: {
    expected: 'dollars a day, for example 2.50',
    read: (text) =>
      /^\d{1,6}(\.\d{1,4})?$/.test(text) && Number(text) > 0
        ? { budgetUsd: Number(text) }
        : undefined,
  },
  trust: {
    expected: 'ask or tools',
    read: (text) => (text === 'ask' || text === 'tools' ? { trust: text } : undefined),
  },
  schedule: {
    expected: 'five fields of cron, for example "0 7 * * 1-5"',
    read: (text) => (cronTrouble(text) === undefined ? { schedule: text.trim() } : undefined),
  },
  prompt: {
    expected: 'the text of the scheduled task',
    read: (text) => (isBlank(text) ? undefined : { scheduledPrompt: text.trim() }),
  },
}

/** What the front matter sets. A value that is not as expected is an error, an unknown key is not. */
export function settingsIn(
  fields: Record<string, FieldValue>,
  place: Place,
): { settings: Settings; findings: Finding[] } {
  const findings: Finding[] = []
  const settings: Settings = {
    ...DEFAULTS,
    ...(place.base === undefined ? {} : { cwd: place.base }),
  }
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'capabilities') settings.capabilities = listOf(value, findings)
    else if (!Object.hasOwn(SETTINGS, key)) findings.push(unknownKey(key))
    else Object.assign(settings, readOne(key, value, place, findings))
  }
  if ('schedule' in fields !== 'prompt' in fields) findings.push(halfSchedule('prompt' in fields))
  return { settings, findings }
}

function readOne(key: string, value: FieldValue, place: Place, findings: Finding[]): Found {
  const setting = SETTINGS[key]
  const found = typeof value === 'string' ? setting?.read(value, place) : undefined
  if (found === undefined)
    findings.push({
      level: 'error',
      text: `${key} is ${JSON.stringify(value)}, not ${setting?.expected}`,
    })
  return found
}

function listOf(value: FieldValue, findings: Finding[]): string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value
  if (Array.isArray(items) && items.every((item) => typeof item === 'string' && !isBlank(item)))
    return items.filter((item) => typeof item === 'string')
  findings.push({ level: 'error', text: 'capabilities is not a list of words' })
  return []
}

function halfSchedule(hasPrompt: boolean): Finding {
  return hasPrompt
    ? { level: 'warning', text: 'prompt has no schedule, so it is never used' }
    : {
        level: 'error',
        text: 'schedule has no prompt: a run needs a text',
        hint: 'add a line to the front matter: prompt: "digest of yesterday"',
      }
}

function unknownKey(key: string): Finding {
  const known = [...Object.keys(SETTINGS), 'capabilities']
  const near = nearest(key, known)
  return {
    level: 'warning',
    text: `unknown setting ${JSON.stringify(key)}`,
    hint: near === undefined ? `the settings are: ${known.join(', ')}` : `did you mean ${near}?`,
  }
}

function directoryOf(text: string, { base, userHome }: Place): string | undefined {
  if (text === '~' || text.startsWith('~/')) return join(userHome, text.slice(1))
  if (isAbsolute(text)) return join(text)
  return base === undefined || isBlank(text) ? undefined : join(base, text)
}

function whole(text: string, found: (value: number) => Found): Found {
  return /^[1-9]\d{0,8}$/.test(text) ? found(Number(text)) : undefined
}

function flag(text: string, found: (value: boolean) => Found): Found {
  return text === 'true' || text === 'false' ? found(text === 'true') : undefined
}
