import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Home } from '../bus/home.ts'
import { digestOf } from '../system/digest.ts'
import { makeDirectory, readPlainFile, removeFile, replaceFileSoon } from '../system/files.ts'

/**
 * Who may see the page. A one-time token opens it, and is in a file that only this user can read;
 * the cookie that the browser gets for it is good until its key is removed.
 */
export type Keys = {
  /** The cookie's name tells homes apart: cookies do not know of ports. */
  cookie: string
  key: string
  isKey: (value: string | undefined) => boolean
  /** Whether this is the token, which then is spent: there is another one at once. */
  spend: (token: string) => boolean
  /** The path that opens the page, once. */
  path: () => string
  /** Writes the files again, where the home was gone in between. */
  write: () => void
  close: () => void
}

/** `address`: of the server, as `http://127.0.0.1:4747`. */
export function openKeys(home: Home, address: string): Keys {
  const key = knownKey(home) ?? randomText()
  let token = randomText()
  const path = () => `/open/${token}`
  const write = () => {
    makeDirectory(home.web)
    replaceFileSoon(home.webKey, key)
    replaceFileSoon(home.webOpen, openingPage(`${address}${path()}`))
  }
  write()
  return {
    cookie: `agent-chat-${digestOf(Buffer.from(home.root)).slice(0, 8)}`,
    key,
    isKey: (value) => value !== undefined && isSame(value, key),
    spend: (given) => {
      if (!isSame(given, token)) return false
      token = randomText()
      write()
      return true
    },
    path,
    write,
    close: () => removeFile(home.webOpen),
  }
}

/** The key of a server before this one: its pages go on. */
function knownKey(home: Home): string | undefined {
  const bytes = readPlainFile(home.webKey, 1000)
  const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8').trim() : ''
  return /^[\w-]{43}$/.test(text) ? text : undefined
}

/** 256 random bits. */
function randomText(): string {
  return randomBytes(32).toString('base64url')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A file that leads to the page: no command line ever has the token, where `ps` would show it. */
function openingPage(address: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>agent-chat</title><p><a href="${address}">Open the page</a></p></html>\n`
}
