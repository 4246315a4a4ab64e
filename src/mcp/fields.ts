import { CodedError, isCoded } from '../errors.ts'
import { quote } from '../message/name.ts'

/** A part of JSON Schema. */
export type Schema = { [key: string]: unknown }

/**
 * A parameter of a tool: how it is described, and how a value is taken. Throws `USAGE`. `older` are
 * names that are understood as well.
 */
export type Field<T> = {
  schema: Schema
  optional: boolean
  older?: readonly string[]
  read: (value: unknown, name: string) => T
}
export type Fields = Record<string, Field<unknown>>

/** What a tool is given, once it was checked. */
export type InputOf<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer T> ? T : never
}

/** The longest name of a session, with that of its machine and an @. */
export const NAME_LENGTH = 66

/** A text with something in it. */
export function text(description: string, max = 262_144): Field<string> {
  return field({ type: 'string', description, minLength: 1 }, (value, name) => {
    if (typeof value !== 'string') throw wrong(name, 'is a text')
    if (value.trim() === '') throw wrong(name, 'cannot be empty')
    if (value.length > max) throw wrong(name, `has ${max} characters at most`)
    return value
  })
}

export function choice<T extends string>(description: string, values: readonly T[]): Field<T> {
  return field({ type: 'string', description, enum: [...values] }, (value, name) => {
    const found = values.find((one) => one === value)
    if (found === undefined) throw wrong(name, `is one of: ${values.join(', ')}`)
    return found
  })
}

export function count(description: string, most: number): Field<number> {
  return field({ type: 'integer', description, minimum: 1, maximum: most }, (value, name) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)
      return value
    throw wrong(name, `is a whole number from 1 to ${most}`)
  })
}

export function flag(description: string): Field<boolean> {
  return field({ type: 'boolean', description }, (value, name) => {
    if (typeof value !== 'boolean') throw wrong(name, 'is true or false')
    return value
  })
}

/** A list of texts. */
export function texts(description: string, least: number, most: number): Field<string[]> {
  const items = { type: 'string', minLength: 1 }
  const schema = { type: 'array', description, items, minItems: least, maxItems: most }
  return field(schema, (value, name) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      throw wrong(name, `is a list of ${least} to ${most} texts`)
    return value.map((one) => text('').read(one, name))
  })
}

/** Words in one text, or a list of phrases. */
export function words(description: string): Field<string[]> {
  const list = texts(description, 1, 20)
  const schema = { anyOf: [{ type: 'string' }, { type: 'array', items: list.schema.items }] }
  return field({ ...schema, description }, (value, name) =>
    list.read(typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value, name),
  )
}

/** A text, or an object or a list of several, as it is. */
export function data(description: string): Field<string | object> {
  const schema = { anyOf: [{ type: 'string' }, { type: 'object' }], description }
  return field(schema, (value, name) => {
    if (typeof value === 'object' && value !== null) return value
    if (typeof value !== 'string') throw wrong(name, 'is a text or an object')
    return text('').read(value, name)
  })
}

export function optional<T>({ read, ...field }: Field<T>): Field<T | undefined> {
  const readIfThere = (value: unknown, name: string) =>
    value === undefined || value === null ? undefined : read(value, name)
  return { ...field, optional: true, read: readIfThere }
}

/** A parameter that had these names before. */
export function named<T>(field: Field<T>, ...older: string[]): Field<T> {
  return { ...field, older }
}

/** The JSON Schema of a tool's parameters. */
export function schemaOf(fields: Fields): Schema & { type: 'object' } {
  const entries = Object.entries(fields)
  const required = entries.filter(([, one]) => !one.optional).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** Parameters that somebody may try: a session cannot say that it is another one. */
const WHO = ['from', 'as', 'sender', 'session', 'user_id', 'identity']

/** Checks what a tool was called with. Throws `USAGE`. */
export function readInput<F extends Fields>(fields: F, asGiven: object, tool: string): InputOf<F> {
  const names = Object.keys(fields)
  const given = renamed(fields, asGiven)
  const other = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
  if (other !== undefined) {
    const who = WHO.includes(other) ? 'who you are is never a parameter; ' : ''
    const takes = names.length === 0 ? 'no parameters' : names.join(', ')
    throw new CodedError('USAGE', `${tool} has no parameter ${quote(other)}`, {
      hint: `${who}it takes: ${takes}`,
    })
  }
  const values = Object.entries(fields).map(([name, field]) => {
    const value = given[name]
    try {
      if (value === undefined && !field.optional) throw wrong(name, 'is missing')
      return [name, field.read(value, name)]
    } catch (error) {
      if (!isCoded(error, 'USAGE')) throw error
      const hint = `${quote(name)} is: ${field.schema.description}`
      throw new CodedError('USAGE', error.message, { hint })
    }
  })
  return Object.fromEntries(values) as InputOf<F>
}

/** The parameters under the names that they have now. */
function renamed(fields: Fields, given: object): Record<string, unknown> {
  const own = new Map(Object.entries(given))
  for (const [name, { older = [] }] of Object.entries(fields)) {
    const before = older.find((one) => own.has(one))
    if (before === undefined || own.has(name)) continue
    own.set(name, own.get(before)).delete(before)
  }
  return Object.fromEntries(own)
}

function field<T>(schema: Schema, read: Field<T>['read']): Field<T> {
  return { schema, optional: false, read }
}

function wrong(name: string, what: string): CodedError {
  const words = name.replaceAll('_', ' ')
  return new CodedError('USAGE', `${words[0]?.toUpperCase()}${words.slice(1)} ${what}`, {
    hint: '',
  })
}
