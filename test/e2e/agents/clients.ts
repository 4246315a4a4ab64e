import { join } from 'node:path'
import { scriptedChat } from './chat.ts'
import { scriptedGemini } from './geminiApi.ts'
import { type Answer, type Asked, type ScriptedModel, scriptedResponses } from './responses.ts'
import versions from './versions.json' with { type: 'json' }

/** Where a client works, and the model that it asks. */
export type Place = { home: string; cwd: string; url: string }

/** How a real client is run against a scripted model. */
export type Client = {
  model: (rule: (asked: Asked) => Answer) => Promise<ScriptedModel>
  /** Files of its own, by their path below the home, and variables. */
  files: (place: Place) => Record<string, string>
  env: (place: Place) => NodeJS.ProcessEnv
  /** Its arguments. */
  args?: string[]
  /** What its screen shows when it takes a prompt. */
  ready: RegExp
  /** The files that setup changes, below the home. */
  setUp: string[]
  /** What it shows of a dialog about a call; `ours`: it opens none but that of our gate. */
  dialog: RegExp
  ours?: true
  /**
   * A list of its own: the command that opens it, what is shown once it knows that command, where it
   * learns that late, and what the list shows.
   */
  picker: { open: string; offer?: RegExp; shows: RegExp }
  /** Its arguments to go on with the last conversation. */
  resume: string[]
  /** What it may ask once its dialog was refused with Escape, and Enter answers. */
  refusal?: RegExp
  /** It runs no hook that is not trusted. */
  trusts?: true
  /** It is woken without a key being typed. */
  native?: true
  /** What a message would change is put to the human as a decision. */
  decides?: true
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** What OpenCode and Kilo Code otherwise fetch at their first start: types for plugins. */
function typesFor(folder: string, types: string, version: string) {
  return {
    [`${folder}/package.json`]: json({ dependencies: { [types]: version } }),
    [`${folder}/package-lock.json`]: json({
      ...{ name: 'opencode', lockfileVersion: 3, requires: true },
      packages: {
        '': { dependencies: { [types]: version } },
        [`node_modules/${types}`]: { version },
      },
    }),
    [`${folder}/node_modules/${types}/package.json`]: json({ name: types, version }),
  }
}

/** OpenCode, and what is made from it. */
function openCode(name: 'opencode' | 'kilo', types: string): Client {
  const folder = `.config/${name}`
  return {
    model: scriptedChat,
    files: ({ url }) => ({
      [`${folder}/${name}.json`]: json({
        provider: {
          fake: {
            ...{ npm: '@ai-sdk/openai-compatible', name: 'fake' },
            options: { baseURL: url, apiKey: 'none' },
            models: {
              fake: { name: 'fake', tool_call: true, limit: { context: 100_000, output: 9000 } },
            },
          },
        },
        ...{ model: 'fake/fake', small_model: 'fake/fake', autoupdate: false },
        permission: { bash: { '*': 'allow', 'touch asked*': 'ask' } },
      }),
      ...typesFor(folder, types, versions[name].version),
    }),
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_MODELS_FETCH: '1' }),
    ready: /ctrl\+p commands/,
    setUp: ['plugin/agent-chat.js', 'skills/agent-chat/SKILL.md', `${name}.json`].map(
      (file) => `${folder}/${file}`,
    ),
    dialog: /Permission required/,
    refusal: /Reject permission/,
    picker: { open: '/models', shows: /Select model/ },
    resume: ['--continue'],
    native: true,
    decides: true,
  }
}

export const CLIENTS = {
  codex: {
    model: scriptedResponses,
    files: ({ url, cwd }) => ({ '.codex/config.toml': codexConfig(url, cwd), 'tmp/.keep': '' }),
    // It makes no helper for its sandbox where its home is below the temporary folder.
    env: ({ home }) => ({
      ...{ CODEX_HOME: join(home, '.codex'), FAKE_KEY: 'none' },
      TMPDIR: join(home, 'tmp'),
    }),
    ready: /› /,
    setUp: ['config.toml', 'hooks.json', 'AGENTS.md'].map((name) => `.codex/${name}`),
    dialog: /Press enter to confirm|Yes, proceed/,
    picker: { open: '/model', shows: /enter select/ },
    resume: ['resume', '--last'],
    native: true,
    decides: true,
    trusts: true,
  },
  gemini: {
    model: scriptedGemini,
    files: () => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        model: { name: 'gemini-2.5-flash' },
      }),
    }),
    env: ({ url }) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, ''),
      COLORTERM: 'truecolor',
    }),
    ready: /Type your message/,
    setUp: ['settings.json', 'GEMINI.md', 'policies/agent-chat.toml'].map(
      (name) => `.gemini/${name}`,
    ),
    dialog: /Allow execution|Action Required|Apply this change/,
    picker: { open: '/theme', offer: /Change the theme/, shows: /Select Theme/ },
    resume: ['--resume', 'latest'],
  },
  copilot: {
    model: scriptedChat,
    files: ({ cwd }) => ({ '.copilot/config.json': json({ trustedFolders: [cwd] }) }),
    env: ({ url }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'fake',
    }),
    ready: /\/ commands/,
    setUp: ['.copilot/hooks/agent-chat.json', '.copilot/copilot-instructions.md'],
    dialog: /Do you want to (allow|run)/,
    picker: { open: '/theme', shows: /Select a Color Mode/ },
    resume: ['--continue'],
  },
  opencode: openCode('opencode', '@opencode-ai/plugin'),
  pi: {
    model: scriptedChat,
    native: true,
    files: ({ url }) => ({
      '.pi/agent/models.json': json({
        providers: {
          fake: {
            ...{ baseUrl: url, api: 'openai-completions', apiKey: 'none' },
            models: [{ id: 'fake', name: 'fake' }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1' }),
    args: ['--provider', 'fake', '--model', 'fake'],
    ready: /\(auto\) +fake$/m,
    setUp: ['.pi/agent/extensions/agent-chat.js', '.pi/agent/AGENTS.md'],
    dialog: /→ Yes|> Yes|No\s*$/m,
    ours: true,
    picker: { open: '/settings', shows: /Type to search/ },
    resume: ['--continue'],
  },
  qwen: {
    model: scriptedChat,
    native: true,
    decides: true,
    files: () => ({
      '.qwen/settings.json': json({
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: ({ url }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: url, OPENAI_MODEL: 'fake' }),
    ready: /Type your message/,
    setUp: ['.qwen/settings.json', '.qwen/QWEN.md'],
    dialog: /Allow execution|Do you want to proceed/,
    picker: { open: '/theme', shows: /Theme/ },
    resume: ['--continue'],
  },
  kilo: openCode('kilo', '@kilocode/plugin'),
} satisfies Record<string, Client>

function codexConfig(url: string, cwd: string): string {
  return `model = "fake"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake] # a comment that stays
name = "fake"
base_url = "${url}"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
requires_openai_auth = false
supports_websockets = false

# In each folder that its sandbox may write to it makes a .git for as long as a command runs.
[sandbox_workspace_write]
exclude_slash_tmp = true

[projects."${cwd}"]
trust_level = "trusted"
`
}

export type ClientName = keyof typeof CLIENTS
