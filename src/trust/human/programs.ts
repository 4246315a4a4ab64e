import { wordList } from '../../system/wordList.ts'

/** A process by its short name and the words that it was started with, where they can be seen. */
type Program = { command: string; args: string[] | undefined }

const SHELLS = wordList('sh bash dash ash zsh fish ksh mksh tcsh csh nu xonsh elvish pwsh')

/** Programs with windows in which people type into a shell, and nothing but what they type runs. */
const TERMINALS = wordList(
  'kitty alacritty foot footclient ghostty wezterm wezterm-gui wezterm-mux-ser xterm uxterm lxterm rxvt urxvt urxvtd st stterm gnome-terminal- gnome-terminal kgx gnome-console ptyxis ptyxis-agent tilix terminator xfce4-terminal lxterminal qterminal konsole yakuake guake tilda terminology mate-terminal deepin-terminal cool-retro-term sakura roxterm termite hyper tabby warp warp-terminal rio contour blackbox waveterm waveterm-server extraterm Eterm mlterm zutty aterm kmscon ttyd gotty shellinaboxd Terminal iTerm2 Hyper Tabby Warp WezTerm Ghostty SessionLeader',
)
const TERMINAL = /^(iTermServer-.*|Relay\(\d+\))$/

/** What a login begins with. */
const LOGINS = wordList('login sshd sshd-session sshd-auth dropbear mosh-server et etterminal')

/** Programs that have terminals among other things: a task or an extension may run there, too. */
const EDITORS = wordList(
  'code code-insiders code-oss codium vscodium cursor windsurf zed zed-editor zeditor idea pycharm webstorm goland clion rider phpstorm rubymine datagrip rustrover studio fleet emacs emacs-gtk emacs-nox emacs-x Emacs nvim vim vi gvim kate sublime_text lapce positron trae antigravity code-server',
)
const EDITOR =
  /[/\\](\.?(vscode|cursor|windsurf|code)(-server|-remote)?|code-server|jetbrains|idea|remote-dev-server)[/\\-]|--type=ptyHost/i

/** Programs that keep a terminal while nobody looks at it. */
const KEEPERS = wordList('tmux tmate screen SCREEN zellij dtach abduco shpool dvtm zmx')

/** Programs that a person types before a command, and that run it for them. */
const STARTERS = wordList(
  'npm npx pnpm pnpx yarn yarnpkg bun bunx deno corepack volta volta-shim mise rtx asdf fnm nvm nodenv proto vp make gmake bmake just task go-task rake ninja mask turbo nx lerna wireit env nice ionice time gtime stdbuf taskset chrt watch entr xargs find parallel git direnv dotenv dotenvx op chamber nix nix-shell nix-env nix-develop devbox devenv flox pixi uv poetry pipx conda hatch steam-run distrobox toolbox flatpak mc ranger nnn lf vifm yazi less more man',
)

/** Those that run it in a terminal of its own, or as another user. */
const WRAPPERS = wordList('sudo su doas run0 runuser pkexec script asciinema ttyrec rlwrap')

/** Programs of this user that no agent is, although their environment cannot be read. */
const HARMLESS = wordList(
  'ssh-agent gpg-agent systemd (sd-pam) gnome-keyring-d dbus-daemon init launchd',
)

/** What a process is, among those above a command. */
export type Kind = 'shell' | 'terminal' | 'login' | 'editor' | 'keeper' | 'starter' | 'wrapper'

/** What is known of a program, by its name and its words; undefined for any other. */
export function kindOf(seen: Program): Kind | undefined {
  const name = programOf(seen)
  if (SHELLS.has(name)) return 'shell'
  if (TERMINALS.has(name) || TERMINAL.test(name)) return 'terminal'
  if (LOGINS.has(name) || /^sshd[:-]/.test(name)) return 'login'
  if (/^tmux: ?server/.test(seen.command) || KEEPERS.has(name)) return 'keeper'
  if (EDITORS.has(name)) return 'editor'
  if (STARTERS.has(name)) return 'starter'
  if (WRAPPERS.has(name)) return 'wrapper'
  const hosts = /^(node|java|MainThread|electron|bun)$/.test(name)
  return hosts && EDITOR.test(seen.args?.slice(0, 4).join(' ') ?? '') ? 'editor' : undefined
}

/** Whether an environment that cannot be read tells nothing: no agent runs under this name. */
export function isHarmless(seen: Program): boolean {
  const kind = kindOf(seen)
  return (
    HARMLESS.has(seen.command) ||
    kind === 'terminal' ||
    kind === 'login' ||
    kind === 'wrapper' ||
    /^(screen|SCREEN)$/.test(seen.command)
  )
}

/** The name of a program: of the script, for one that an interpreter runs. */
export function programOf({ command, args }: Program): string {
  const name = command.replace(/^-/, '')
  const first = name.split(/[ :]/)[0] ?? name
  const script = /^(node|MainThread|node-MainThread|bun|python[\d.]*|xonsh)$/.test(first)
    ? args?.slice(1).find((word) => !word.startsWith('-'))
    : undefined
  const base = script
    ?.split('/')
    .at(-1)
    ?.replace(/(-cli)?\.[cm]?js$|\.py$/, '')
  // npm and its kind write what they do over their own name.
  return base !== undefined && (STARTERS.has(base) || SHELLS.has(base) || TERMINALS.has(base))
    ? base
    : first
}

/** Options with which a shell reads its commands from its terminal all the same. */
const INTERACTIVE =
  /^(-[ilg]+|--(login|interactive|norc|noprofile|noediting|posix|no-rcs|no_rcs|no-config|private)|-f|-(NoLogo|Login|NoExit|NoProfile))$/i
const WITH_FILE = /^--?(rcfile|init-file)$/

/** What an editor or a terminal has a shell read at its start. */
const INTEGRATION = /shell-?_?integrations?\b|jediterm|\bterminal-/i
const WITH_INTEGRATION = /^(--init-command|-C|-command|-c)$/i

/** Whether a shell was started to read commands from its terminal. */
export function readsTerminal(seen: Program): boolean {
  if (kindOf(seen) !== 'shell' || seen.args === undefined) return false
  const isScript = programOf(seen) !== seen.command.replace(/^-/, '') || isXonsh(seen.args)
  const options = seen.args.slice(isScript ? 2 : 1).filter((word) => word !== '')
  return options.every((option, at) => {
    const before = options[at - 1] ?? ''
    if (WITH_FILE.test(before)) return true
    if (WITH_INTEGRATION.test(before) && isKeptOpen(seen, options)) return INTEGRATION.test(option)
    if (/^--init-command=/.test(option)) return INTEGRATION.test(option)
    if (WITH_INTEGRATION.test(option))
      return isKeptOpen(seen, options) && options[at + 1] !== undefined
    return INTERACTIVE.test(option) || WITH_FILE.test(option) || /^--rcfile=/.test(option)
  })
}

/** Only these go on reading the terminal after a command of their own. */
function isKeptOpen({ command }: Pick<Program, 'command'>, options: string[]): boolean {
  const name = command.replace(/^-/, '')
  return name === 'fish' || (name === 'pwsh' && options.some((word) => /^-noexit$/i.test(word)))
}

function isXonsh([, script = '']: string[]): boolean {
  return script.endsWith('/xonsh')
}
