/**
 * What the room uses of Claude Code's interface for mods, as 2.1.329 declares it. The client writes
 * the whole declaration where it loads a mod from a folder; none of it is shipped with a package.
 */
export type Drawn = { readonly drawn: true } | string | false | undefined

type Element = { readonly element: true }
export type Elements = Record<'Box' | 'Text' | 'Button' | 'Input', Element>

/** Where a value of the session is kept: whoever reads it while drawing is drawn again. */
type StateRef = { readonly plugin: string; readonly key: string }

type Ran = { exitCode: number; stdout: string; stderr: string }

export type Engine = {
  plugin: { root: string }
  ui: {
    resolve(e: RenderEvent): Elements
    open(pane: Record<string, unknown>): Promise<unknown>
    toast(text: string, options: { timeoutMs: number }): void
    log(text: string, options: { to: 'debug' }): void
  }
  fs: {
    read(path: string, range?: { offset: number; length: number }): Promise<string>
    write(path: string, text: string): Promise<unknown>
    stat(path: string): Promise<{ size: number; mtimeMs: number }>
    exists(path: string): Promise<boolean>
  }
  process: {
    run(argv: string[], options: { stdin?: string; timeoutMs: number }): Promise<Ran>
  }
  clock: { now(): Promise<number>; every(ms: number, work: () => void): unknown }
  command: { register(command: { name: string; description: string }): Promise<unknown> }
  session: { version(): Promise<{ version: string }> }
  state: {
    get(ref: StateRef): Promise<{ value?: unknown }>
    set(ref: StateRef, value: unknown): Promise<unknown>
  }
}

/** What every event has; the rest is by its name. */
export type RenderEvent = { component: string; requestId: string; props: Record<string, unknown> }
export type PromptEvent = { text: string; origin: { kind: string } }
export type CheckEvent = { tool: string; tool_use_id?: string; agentId?: string }
export type Verdict = { decision: 'allow' | 'ask' | 'deny'; reason?: string }
export type TurnEvent = { isAborted: boolean; agentId?: string }
export type StartEvent = { isInteractive: boolean }

type Next<E, R> = (e: E) => Promise<R>
type Hook<E, R> = ($: Engine, e: E, next: Next<E, R>) => Promise<R> | R
type Hooked<E, R> = { catch(fallback: Hook<E, R>): void }

export type On = {
  (event: 'session.start', hook: Hook<StartEvent, unknown>): Hooked<StartEvent, unknown>
  (event: 'prompt.submit', hook: Hook<PromptEvent, unknown>): Hooked<PromptEvent, unknown>
  (event: 'turn.complete', hook: Hook<TurnEvent, unknown>): Hooked<TurnEvent, unknown>
  (event: 'tool.check', hook: Hook<CheckEvent, Verdict>): Hooked<CheckEvent, Verdict>
  (
    event: 'command.run',
    matcher: { command: string },
    hook: Hook<unknown, unknown>,
  ): Hooked<unknown, unknown>
  (
    event: 'ui.render',
    matcher: { component: string; requestId?: string },
    hook: Hook<RenderEvent, Drawn>,
  ): Hooked<RenderEvent, Drawn>
}

declare global {
  /** Makes an element of a mod's tree. A global of the client's. */
  function h(
    element: Element,
    props: Record<string, unknown>,
    ...children: (Drawn | Drawn[] | number)[]
  ): Drawn
}
