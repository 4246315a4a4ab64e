import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { smallHeap } from '../system/smallHeap.ts'
import { type Assets, webApp } from './app.ts'
import { openHub } from './hub.ts'
import type { Ports } from './ports.ts'
import type { Keys } from './token.ts'

/** What answers the requests to the page. */
export type Serving = { answer: RequestListener; close: () => Promise<void> }

/** So much may be garbage when nothing happens any more, in bytes. */
const SPARE = 512 * 1024

/** `onBack`: the home was gone and is there again. */
export function openServing(keys: Keys, onBack: () => void, ports: Ports): Serving {
  const hub = openHub(ports, onBack, smallHeap(SPARE))
  return {
    answer: getRequestListener(webApp(hub, keys, readAssets(ports), ports).fetch),
    close: () => hub.close(),
  }
}

/** Read at the start: an update may replace the program's files while the page is open. */
function readAssets({ self }: Ports): Assets {
  const text = (file: string) => readFileSync(join(dirname(self.script), file), 'utf8')
  return { script: text('page.js'), style: text('page.css') }
}
