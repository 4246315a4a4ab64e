import { needOwn } from './git.ts'
import type { Operand } from './operand.ts'
import { exactly, type Options, operandsOf } from './options.ts'
import type { Scope } from './scope.ts'
import { doubt } from './script.ts'
import { needEnd } from './values.ts'

// Programs that ask a service, each with the words and the options that only read. None is named with
// which it would go on (`--watch`, `--follow`), open a browser or an editor, write a file, take its
// settings, its address or its credentials from elsewhere, or show a secret of the person's own. What
// a variable could change is no word here: one before a command asks (`judge.ts`).

// A line has the first words of a command, and what may be behind them: letters, names, and with `=`
// those that have a value.

const SHOWN = '-qRt= json= jq= template= repo='
const LISTED = `${SHOWN} -LSs= limit= state= author= assignee= label= search= milestone= sort= order=`

/**
 * An alias or an extension of gh cannot take the place of a word of its own, and no other is here. Its
 * settings and its pager are the person's, in their home. `api` is not here: what it does, an address
 * decides.
 */
const GH = `
(pr|issue) list: -d -AaBHlm= draft base= head= app= mention= ${LISTED}
(pr|issue) (view|status): -c comments conflict-status ${SHOWN}
pr checks: required ${SHOWN}
pr diff: -R= name-only patch color= repo=
run list: -a -bceuw= all branch= commit= created= event= status= user= workflow= ${LISTED}
run view: -v -aj= exit-status log log-failed verbose attempt= job= ${SHOWN}
(release|label|workflow|cache) list: -a -O= all ${LISTED}
(release|ruleset) view: ${SHOWN}
workflow view: -y -rR= yaml ref= repo=
repo list: -lLqt= fork source archived no-archived limit= language= json= jq= template=
repo view: -bqt= branch= json= jq= template=
auth status: -a active`

/**
 * Plugins, contexts and helpers of docker are the person's, in their home. `compose` is none of these: the
 * project's file may have it fetch others.
 */
const DOCKER = `
ps|container (ls|list|ps): -aqsl -fn= all quiet size latest no-trunc filter= format= last=
images|image (ls|list): -aq -f= all quiet digests no-trunc tree filter= format=
(volume|network) (ls|list): -q -f= quiet no-trunc filter= format=
(container )?logs: -t -n= timestamps details since= until= tail=
((container|image|volume|network) )?inspect: -s -f= size format= type=
(image )?history: -qH quiet human no-trunc format=
(container )?(port|diff|top): no-trunc
system df: -v verbose format=`

/** The settings of kubectl, and what signs in by them, are the person's; a plugin has no word of these. */
const KUBECTL = `
get|events: -A -nloL= all-namespaces show-labels no-headers ignore-not-found namespace= selector= output= field-selector= sort-by= label-columns= for= types=
describe: -A -nl= all-namespaces namespace= selector=
logs: -ncl= previous timestamps prefix all-containers namespace= selector= container= tail= since= since-time= limit-bytes=
top (pods?|nodes?): -A -nl= all-namespaces containers no-headers namespace= selector=
explain|api-resources|cluster-info: -o= recursive output=
config (current-context|get-contexts): -o= no-headers output=
rollout history: -n= namespace= revision=`

/** What these print, where a form of theirs would be read from a file. */
const OUTPUT =
  /^(json|yaml|wide|name|(jsonpath|jsonpath-as-json|custom-columns|go-template)=[^\0]*)$/

/** A repository at the one service whose credentials it is about; another host might be sent them. */
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/
const AT_GITHUB = /^(https:\/\/github\.com\/[\w.\-/#]+|[^:]*)$/

export function judgeGh(args: Operand[], scope: Scope): void {
  // It asks git where it is.
  needOwn(scope.directories, scope)
  needEnd(args)
  const { words, operands } = read(GH, 'gh', args, (option, value) => {
    if (/^(R|repo)$/.test(option) && !REPOSITORY.test(value ?? ''))
      doubt('gh with a repository of another form')
  })
  for (const { value, number } of operands)
    if (!number && (value === undefined || !AT_GITHUB.test(value) || hasHost(words, value)))
      doubt('gh with an address of another form')
}

/** Whether a word of three parts names a host. */
function hasHost(words: string, value: string): boolean {
  return words === 'repo view' && !value.startsWith('https:') && value.split('/').length > 2
}

export function judgeDocker(args: Operand[]): void {
  read(DOCKER, 'docker', args)
}

export function judgeKubectl(args: Operand[]): void {
  const isNamed = /^(-n|--namespace)$/.test(args[0]?.value ?? '') && args[1]?.value !== undefined
  read(KUBECTL, 'kubectl', isNamed ? args.slice(2) : args, (option, value) => {
    if (/^(o|output)$/.test(option) && !OUTPUT.test(value ?? ''))
      doubt('kubectl with a form that a file may hold')
  })
}

/** The words of a command that a table has, and the operands behind them. Throws `Doubt` for others. */
function read(
  table: string,
  program: string,
  args: Operand[],
  seen?: Parameters<typeof operandsOf>[2],
) {
  for (const count of [2, 1]) {
    const head = args.slice(0, count)
    const words = head.map(({ value }) => value ?? '').join(' ')
    const line = table
      .split('\n')
      .find((one) => new RegExp(`^(${one.split(': ')[0]})$`).test(words))
    if (!line || words === '') continue
    const operands = operandsOf(
      args.slice(count),
      optionsIn(line.slice(line.indexOf(': ') + 2)),
      seen,
    )
    return { words, operands }
  }
  return doubt(`${program} with ${args[0]?.value ?? 'no word that is known'}`)
}

function optionsIn(text: string): Options {
  const of = (form: RegExp) => text.split(' ').flatMap((one) => form.exec(one)?.[1] ?? [])
  return {
    ...{ flags: of(/^-(\w+)$/).join(''), values: of(/^-(\w+)=$/).join('') },
    ...{ long: of(/^(\w[\w-]*)$/), longValues: of(/^(\w[\w-]*)=$/) },
  }
}

const UNITS =
  /^(status|show|cat|is-active|is-enabled|is-failed|is-system-running|get-default|list-(units|unit-files|timers|sockets|dependencies|jobs))$/

/** systemctl. `-H` and `-M` would ask another machine. */
export function judgeSystemctl(args: Operand[]): void {
  const flags = 'user system all full quiet failed no-pager no-legend plain value reverse'
  const [word] = operandsOf(args, {
    ...{ flags: 'alq', values: 'ntp', long: flags.split(' ') },
    longValues: ['lines', 'type', 'state', 'property'],
  })
  const verb = word === undefined ? 'list-units' : (word.value ?? '')
  if (!UNITS.test(verb)) doubt(`systemctl ${verb}`.trim())
}

/** journalctl. It reads the journal of this machine, and stops at its end. */
export function judgeJournal(args: Operand[]): void {
  exactly(
    /^(-[xeraqk]*(b(-?\d+)?|n\d*)?|-\d+|--(boot|dmesg|user|system|all|reverse|quiet|catalog|utc|no-pager|no-full|no-hostname|list-boots|disk-usage|pager-end|(unit|user-unit|identifier|priority|since|until|grep|output|lines|boot|field)=.+))$/s,
    /^(-[xeraqk]*[utpSUgoF]|--(unit|user-unit|identifier|priority|since|until|grep|output|field))$/,
    args,
  )
}
