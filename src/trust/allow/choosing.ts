/**
 * Options of checks that only choose what is checked, or how it is told: alone, or with the next
 * word as a value. None loads, writes or changes a file of its own, or runs another program.
 */
const CHOOSING: [of: RegExp, alone: RegExp, valued: RegExp][] = [
  // docs.pytest.org/en/stable/reference/reference.html#command-line-flags
  [
    /pytest$/,
    /^(?:-[qvxsl]+|--(?:quiet|verbose|exitfirst|last-failed|lf|failed-first|ff|collect-only|co|no-header|no-summary|showlocals)|--(?:tb|maxfail|durations)=\w+)$/,
    /^-[km]$/,
  ],
  // doc.rust-lang.org/cargo/commands/cargo-test.html, cargo-check.html, clippy/usage.html
  [
    /^cargo (?:test|check|clippy)$/,
    /^(?:-[qv]+|--(?:quiet|verbose|lib|bins|tests|examples|benches|doc|all-targets|workspace|all|release|all-features|no-default-features|locked|offline|frozen|no-fail-fast|no-run)|--(?:nocapture|ignored|include-ignored|exact|show-output|test-threads=\d+)|--)$/,
    /^(?:-[pFDWA]|--(?:package|test|bin|example|features|exclude))$/,
  ],
  // doc.rust-lang.org/cargo/commands/cargo-tree.html
  [
    /^cargo tree$/,
    /^(?:-[de]|--(?:duplicates|no-dedupe|all-features|workspace|locked|offline|frozen|depth=\d+|edges=[\w,-]+))$/,
    /^(?:-[ipe]|--(?:invert|package|edges|depth|prune|prefix|charset))$/,
  ],
  // pkg.go.dev/cmd/go#hdr-Testing_flags
  [
    /^go (?:test|vet|list)$/,
    /^-(?:v|race|short|failfast|cover|json|(?:count|timeout|run|skip)=\S*)$/,
    /^-(?:run|skip|timeout|count|parallel)$/,
  ],
  // vitest.dev/guide/cli, jestjs.io/docs/cli
  [
    /(?:vitest run|jest)$/,
    /^--(?:coverage|silent|verbose|ci|passWithNoTests|runInBand|watchAll=false|bail(?:=\d+)?|reporter=(?:dot|verbose|default))$/,
    /^(?:-t|--testNamePattern)$/,
  ],
  // eslint.org/docs/latest/use/command-line-interface
  [
    /eslint$/,
    /^--(?:quiet|no-fix|color|no-color|max-warnings=\d+|ext=[\w.,]+)$/,
    /^--(?:max-warnings|ext)$/,
  ],
  // typescriptlang.org/docs/handbook/compiler-options.html: another project may say where it writes
  [/tsc --noEmit$/, /^--(?:pretty|skipLibCheck|strict)$/, /(?!)/],
  // docs.astral.sh/ruff/configuration/#full-command-line-interface, mypy.readthedocs.io/en/stable/command_line.html
  [
    /ruff check$/,
    /^(?:-q|--(?:quiet|no-fix|output-format=[\w-]+|select=[\w,]+|ignore=[\w,]+))$/,
    /^--(?:select|ignore|output-format)$/,
  ],
  [/mypy$/, /^--(?:strict|pretty|show-error-codes|ignore-missing-imports|no-incremental)$/, /(?!)/],
]

/** No value of these may look like an option, a path that leads away, or an address. */
const VALUE = /^(?![-/~])(?!.*(?:\.\.|:\/\/))[\w .:,|()[\]*^$/-]+$/

/**
 * The words behind a check, without the options that only choose. Undefined where another option is
 * among them.
 */
export function withoutChoices(check: string, words: readonly string[]): string[] | undefined {
  const [, alone, valued] = CHOOSING.find(([of]) => of.test(check)) ?? []
  const operands: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) operands.push(word)
    else if (valued?.test(word) && VALUE.test(words[at + 1] ?? '')) at += 1
    else if (!alone?.test(word)) return undefined
  }
  return operands
}
