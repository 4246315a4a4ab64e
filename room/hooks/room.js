// src/session/witness.ts
function promptKey(prompt) {
  const text = prompt.trim();
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 16777619) >>> 0;
  return `${text.length}-${hash.toString(16)}`;
}

// src/message/shortId.ts
var LETTERS = "bcdfghjkmnpqrstvwxyz";
var DIGITS = "23456789";
var BOTH = LETTERS + DIGITS;
var SHOWN = 5;
var LEAST = 4;
function shortId(id, length = SHOWN) {
  const from = id.lastIndexOf("-from-");
  const dot = from < 0 ? -1 : id.indexOf(".", from);
  let rest = hashOf(dot < 0 ? id : id.slice(0, dot));
  const sign = (set) => {
    const at = rest % set.length;
    rest = Math.floor(rest / set.length);
    return set.charAt(at);
  };
  let short = sign(LETTERS) + sign(DIGITS);
  while (short.length < length) short += sign(BOTH);
  return short;
}
var SHORT = new RegExp(`^[${LETTERS}][${DIGITS}][${BOTH}]{${LEAST - 2},}$`, "i");
function hashOf(text) {
  let one = 3735928559;
  let two = 1103547991;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ one >>> 16, 2246822507) ^ Math.imul(two ^ two >>> 13, 3266489909);
  two = Math.imul(two ^ two >>> 16, 2246822507) ^ Math.imul(one ^ one >>> 13, 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0);
}

// src/feed/need.ts
var REASONS = {
  permission: "asks permission",
  trust: "asks at its start",
  decision: "needs a decision",
  approval: "asks permission",
  question: "has a question",
  failed: "failed",
  limited: "is limited",
  held: "messages are held"
};
function needRow(need) {
  const reason = need.type === "asks" ? "question" : need.type;
  const row = { reason, since: need.at };
  switch (need.type) {
    case "permission":
    case "trust":
    case "asks":
    case "failed":
    case "limited":
      return { session: need.name, ...row, what: need.why, answer: need.answer };
    case "held": {
      const count = need.count === 1 ? "1 message is" : `${need.count} messages are`;
      const to = need.to.map((name) => `@${name}`).join(", ");
      const what = `${count} held for ${to}: ${need.why}`;
      return { session: null, ...row, what, answer: `agent-chat release ${shortId(need.chain)}` };
    }
    default: {
      const id = need.number === void 0 ? shortId(need.id) : String(need.number);
      const options = need.options.map((option, at) => `${at + 1}. ${option}`).join("  ");
      const what = [need.title, ...options === "" ? [] : [options]].join("  ");
      const answer = `agent-chat reply ${id} ${options === "" ? '"\u2026"' : "<number>"}`;
      return { session: need.from, ...row, what, answer };
    }
  }
}

// src/mod/view.ts
var VIEW = { plugin: "agent-chat-room", key: "view" };
var ASKED = { plugin: "agent-chat-room", key: "asked" };
async function viewOf($) {
  const { value } = await $.state.get(VIEW);
  return value;
}
function ago(at, now) {
  const minutes = Math.floor((now - Date.parse(at)) / 6e4);
  if (!(minutes >= 1)) return "now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}
var WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
function cellsOf(text) {
  let cells = 0;
  for (const char of text) cells += WIDE.test(char) ? 2 : 1;
  return cells;
}
function cut(text, length) {
  if (cellsOf(text) <= length) return text;
  let kept = "";
  for (const char of text) {
    if (cellsOf(kept + char) >= length) break;
    kept += char;
  }
  return `${kept}\u2026`;
}
function wrapped(text, columns) {
  return text.replaceAll("	", "  ").split("\n").flatMap((line) => {
    const lines = [""];
    for (const piece of line.split(/(?<=\s)/).flatMap((word) => pieces(word, columns))) {
      const last = lines.at(-1) ?? "";
      if (cellsOf(`${last}${piece}`.trimEnd()) <= columns) lines[lines.length - 1] = last + piece;
      else lines.push(piece);
    }
    return lines.map((one) => one.trimEnd());
  });
}
function pieces(word, columns) {
  if (cellsOf(word.trimEnd()) <= columns) return [word];
  const all = [""];
  for (const char of word) {
    const last = all.at(-1) ?? "";
    if (cellsOf(last + char) <= columns) all[all.length - 1] = last + char;
    else all.push(char);
  }
  return all;
}
function linesOf(widths, columns) {
  let [lines, taken] = [0, columns];
  for (const width of widths) {
    if (taken + width > columns) [lines, taken] = [lines + 1, 0];
    taken += width;
  }
  return lines;
}

// src/mod/needs.ts
function isElsewhere(need, name) {
  return need.type !== "held" && !("name" in need && need.name === name);
}
function needText(need) {
  const { session, reason, what } = needRow(need);
  if ("options" in need) return `@${need.from} asks you: ${need.title}`;
  return session === null ? what : `@${session} ${REASONS[reason]}: ${what}`;
}
function needLine(need, columns) {
  const { answer } = needRow(need);
  return `${cut(`? ${needText(need)}`, Math.max(8, columns - cellsOf(answer) - 3))} \xB7 ${answer}`;
}

// src/mod/own.ts
var RUN_MS = 1e4;
var own = {
  cli: "agent-chat",
  client: "",
  home: "",
  pid: 0,
  seen: "",
  history: "",
  list: "",
  shown: "",
  looks: 0,
  looking: false,
  pane: void 0,
  typed: 0,
  told: void 0,
  view: void 0
};
function run($, argv, stdin = "") {
  return $.process.run([own.cli, ...argv], { stdin, timeoutMs: RUN_MS });
}
async function show($, view) {
  own.view = view;
  await $.state.set(VIEW, view);
}
async function isNoted($) {
  return own.pid !== 0 && await $.fs.exists(`${own.home}/rooms/${own.pid}.json`);
}
function ownFiles() {
  const name = own.view?.name;
  if (!name || own.pid === 0) return void 0;
  return {
    state: `${own.home}/state/${name}.json`,
    judged: `${own.home}/rooms/${own.pid}.judged`
  };
}

// src/mod/live.ts
var LOOK_MS = 1e3;
var FULL_LOOKS = 30;
var LIST = "pids/@watcher.line";
var OPEN_LOOKS = 5;
var AGE_LOOKS = 30;
var TOAST = 160;
async function begin($, e) {
  own.cli = await findCli($);
  own.client = (await $.session.version()).version;
  await look($);
  if (!e.isInteractive) return;
  await $.command.register({ name: "room", description: "Sessions, messages and decisions" });
  $.clock.every(LOOK_MS, () => {
    void tick($);
  });
}
async function findCli($) {
  const root = $.plugin.root;
  const version = root.split("/").pop() ?? "";
  for (const path of [
    `${root}/../bin/agent-chat`,
    `${root}/../../agent-chat/${version}/bin/agent-chat`
  ])
    if (await $.fs.exists(path)) return path;
  return "agent-chat";
}
async function tick($) {
  if (own.looking) return;
  own.looks += 1;
  if (own.home === "") return own.looks % AGE_LOOKS === 0 ? look($) : void 0;
  const isOpen = (own.view?.needs.length ?? 0) > 0;
  const due = own.looks % (isOpen ? OPEN_LOOKS : FULL_LOOKS) === 0;
  const history = await timeOf($, "history.log");
  const list = await timeOf($, LIST);
  if (history !== own.history || list !== own.list || due) {
    if (own.pane !== void 0 || due && isOpen) own.shown = history;
    own.history = history;
    own.list = list;
    const seen = `${await signature($)} ${own.shown}`;
    if (seen !== own.seen) {
      own.seen = seen;
      return look($);
    }
  }
  if (own.looks % AGE_LOOKS === 0 && own.view && shows(own.view))
    await show($, { ...own.view, at: await $.clock.now() });
}
function shows({ unread, needs }) {
  return unread > 0 || needs.length > 0;
}
async function signature($) {
  const name = own.view?.name;
  const inboxes = name ? [`inbox/${name}`, "inbox/human"] : [];
  const states = own.pane === void 0 ? [] : ["state"];
  const times = [];
  for (const path of ["sessions.json", LIST, ...inboxes, ...states])
    times.push(await timeOf($, path));
  return times.join(" ");
}
async function timeOf($, path) {
  try {
    return String((await $.fs.stat(`${own.home}/${path}`)).mtimeMs);
  } catch {
    return "-";
  }
}
async function look($) {
  own.looking = true;
  try {
    const begin2 = await isNoted($) ? [] : ["--begin", own.client];
    const pane = own.pane === void 0 ? [] : ["--pane", own.pane];
    const { exitCode, stdout } = await run($, ["room", "look", ...begin2, ...pane]);
    if (exitCode !== 0) return failed($);
    const told = JSON.parse(stdout);
    const questions = told.questions.map((one) => ({ ...one, text: one.text ?? "" }));
    const now = { ...told, questions, needs: told.needs ?? [] };
    own.home = now.home;
    own.pid = now.pid ?? own.pid;
    tell($, now);
    await show($, { ...now, at: await $.clock.now(), peer: now.pane?.peer ?? null });
  } finally {
    own.looking = false;
  }
}
async function failed($) {
  if (await timeOf($, "sessions.json") !== "-") own.seen = "";
  else if (own.view) await show($, { ...own.view, name: null });
}
function tell($, { needs, tells, name }) {
  const known = own.told;
  own.told = new Set(needs.map(({ key }) => key));
  const added = known && needs.find((need) => "options" in need && !known.has(need.key));
  if (added && tells && name) $.ui.toast(cut(needText(added), TOAST), { timeoutMs: 8e3 });
}

// src/mod/acts.ts
async function witness($, { text, origin }) {
  if (!await isNoted($)) return;
  const at = await $.clock.now();
  if (origin.kind === "composer") own.typed = at;
  const note = { kind: origin.kind, key: promptKey(text), at, typed: own.typed };
  await $.fs.write(`${own.home}/rooms/${own.pid}.prompt`, JSON.stringify(note));
  await $.fs.write(`${own.home}/rooms/${own.pid}.judged`, "");
  await layBell($);
}
async function layBell($) {
  const name = own.view?.name;
  if (!name || !await $.fs.exists(`${own.home}/bells/${name}`)) return;
  const path = `${own.home}/bells/${name}/again`;
  if (!await $.fs.exists(path)) await $.fs.write(path, "");
}
async function ended($) {
  if (!own.view?.name || !await isNoted($)) return;
  await run($, ["room", "ended", String(await $.clock.now())]);
}
async function openPane($) {
  own.pane = own.pane ?? "-";
  await look($);
  await $.ui.open({
    ...{ id: "room", title: "agent-chat", focus: true, closeOnEscape: true },
    ...{ rows: 16, columns: 56 }
  });
  return { text: "The room is open. Esc closes it." };
}
async function choose($, name) {
  own.pane = name;
  await look($);
}
function optionButtons($, { id, number }, labels, { Button }) {
  return labels.map(
    (label, at) => h(Button, {
      key: `${id}-${at}`,
      label,
      onPress: () => act($, { do: "reply", id: String(number ?? id), text: String(at + 1) })
    })
  );
}
async function act($, press) {
  const { exitCode, stderr } = await run($, ["room", "press", "--json"], JSON.stringify(press));
  if (exitCode !== 0) $.ui.toast(reasonIn(stderr), { timeoutMs: 8e3 });
  await look($);
}
function reasonIn(stderr) {
  const line = stderr.split("\n").find((text) => text.startsWith("{"));
  const error = line === void 0 ? void 0 : JSON.parse(line).error;
  return typeof error?.message === "string" ? error.message : "agent-chat did not answer";
}

// src/mod/band.ts
var ROWS = 6;
var NARROW = 70;
async function drawBand($, e, next) {
  const view = await viewOf($);
  const [question] = view?.questions ?? [];
  const other = view?.needs.find((need) => isElsewhere(need, view.name) && !("options" in need));
  const asks = question ?? other;
  if (!view?.name || e.props.hasSurvey || view.unread === 0 && asks === void 0) return next(e);
  const columns = Number(e.props.bodyColumns) || 80;
  const rows2 = Number(e.props.maxRows) || 3;
  const elements = $.ui.resolve(e);
  const count = view.needs.length;
  const asked = question && drawQuestion($, question, count, { columns, rows: rows2 }, elements);
  const taken = asked?.rows ?? (other === void 0 ? 0 : 1);
  return h(
    elements.Box,
    { flexDirection: "column" },
    taken < rows2 && unreadLine($, view, columns, elements),
    asked?.drawn,
    question === void 0 && other && otherLine(other, count, columns, elements)
  );
}
function otherLine(need, count, columns, { Text }) {
  const more = count > 1 ? ` \xB7 ${count} need you: /room` : "";
  const line = needLine(need, columns - cellsOf(more));
  return h(Text, { color: "warning", wrap: "truncate-end" }, `${line}${more}`);
}
function unreadLine($, view, columns, { Box, Text, Button }) {
  const last = view.latest.at(-1);
  if (view.unread === 0 || last === void 0) return void 0;
  const isAlone = view.questions.length === 0;
  const count = `\u2709 ${view.unread} unread`;
  const age = ` \xB7 ${ago(last.at, view.at)} \xB7 `;
  const keys = isAlone && columns >= NARROW ? " ctrl+x tab" : "";
  const room = columns - count.length - last.from.length - age.length - keys.length - 14;
  const line = h(
    Text,
    { wrap: "truncate-end" },
    h(Text, { color: "claude" }, count),
    " \xB7 ",
    h(Text, { bold: true }, `@${last.from}`),
    room < 8 ? "" : `: "${cut(last.title, room)}"`,
    h(Text, { dimColor: true }, age)
  );
  if (!isAlone) return h(Box, {}, line, h(Text, { dimColor: true }, "/room"));
  const open = () => openPane($);
  return h(
    Box,
    {},
    line,
    h(Button, { key: "open", plain: true, label: "/room", onPress: open }),
    h(Text, { dimColor: true, wrap: "truncate-end" }, keys)
  );
}
function drawQuestion($, question, count, { columns, rows: rows2 }, elements) {
  const { Box, Text } = elements;
  const asks = `? @${question.from} asks: ${question.title}`;
  const hint = ` ctrl+x tab${count > 1 ? ` \xB7 ${count - 1} more: /room` : ""}`;
  const widths = [...question.options.map((option) => cellsOf(option) + 5), cellsOf(hint)];
  const warning = (text2) => h(Text, { color: "warning", wrap: "truncate-end" }, text2);
  const keys = h(Text, { dimColor: true, wrap: "truncate-end" }, hint);
  const buttons = optionButtons($, question, question.options, elements);
  const isShort = question.text === "" && question.options.length > 0;
  if (isShort && linesOf([cellsOf(asks) + 2, ...widths], columns) === 1)
    return { drawn: h(Box, {}, warning(`${asks} `), ...buttons, keys), rows: 1 };
  const lines = wrapped(asks, columns);
  const text = question.text === "" ? [] : wrapped(question.text, columns);
  const taken = lines.length + text.length + linesOf(widths, columns);
  const hasRoom = taken <= Math.min(rows2, ROWS) && widths.every((width) => width <= columns);
  if (!hasRoom || question.options.length === 0)
    return { drawn: warning(`${cut(asks, Math.max(8, columns - 8))}  /room`), rows: 1 };
  const drawn = h(
    Box,
    { flexDirection: "column" },
    ...lines.map(warning),
    ...text.map((line) => h(Text, { wrap: "truncate-end" }, line === "" ? " " : line)),
    h(Box, { flexWrap: "wrap" }, ...buttons, keys)
  );
  return { drawn, rows: taken };
}

// src/session/turn.ts
function hasWord(turn) {
  return turn === void 0 || turn.began === "human" || (turn.opened ?? null) !== null;
}

// src/system/wordList.ts
function wordList(words) {
  const all = ` ${words} `;
  return { has: (word) => !word.includes(" ") && all.includes(` ${word} `) };
}

// src/trust/toolGate/table.ts
var READS = "Read Glob Grep WebFetch WebSearch ListMcpResourcesTool ReadMcpResourceTool ReadMcpResourceDirTool GetTask GetGoal LS NotebookRead TaskOutput AgentOutput AgentOutputTool BashOutput BashOutputTool";
var TALKS = "TodoWrite TaskCreate TaskGet TaskList TaskUpdate EnterPlanMode ExitPlanMode ToolSearch WaitForMcpServers ListAgents CronList ReportFindings StructuredOutput SubagentHandback SendUserMessage WrapUp TodoRead ListPeers Brief";
var MARKED = "AskUserQuestion";
var SHELLS = wordList("Bash Monitor PowerShell");
var EDITS = wordList("Edit Write NotebookEdit MultiEdit");
var AGENTS = wordList("Agent Task");
var SPEAKERS = "SendMessage Skill SlashCommand";
var LATER = "TaskStop KillShell ScheduleWakeup CronCreate CronDelete";
var PASSING = wordList(`${READS} ${TALKS} ${MARKED}`);
var IDLE = wordList(`${TALKS} ${MARKED} ${SPEAKERS} ${LATER}`);
var STARTERS = wordList(`Agent Task Workflow ${SPEAKERS}`);
var JUDGED = `^(?!(${`${READS} ${TALKS}`.replaceAll(" ", "|")})$)`;

// src/mod/belt.ts
var JUDGES = new RegExp(JUDGED);
var TAIL = 16384;
async function checkBelt($, e, next) {
  const verdict = await next(e);
  const files = ownFiles();
  const id = e.tool_use_id;
  if (!files || id === void 0 || !JUDGES.test(e.tool)) return verdict;
  if (verdict.decision === "deny" || !await isClosed($, files.state)) return verdict;
  const judged = await judgedCall($, files.judged, id);
  if (judged?.asked !== void 0) await $.state.set(ASKED, { id, by: judged.asked });
  if (judged) return verdict;
  return {
    decision: "ask",
    reason: "agent-chat: a message started this turn, not you, and the gate did not answer in time"
  };
}
async function isClosed($, path) {
  let state;
  try {
    state = JSON.parse(await $.fs.read(path));
  } catch {
    return false;
  }
  return (state.gate ?? "enforce") === "enforce" && !hasWord(state.turn);
}
async function judgedCall($, path, id) {
  const { size } = await $.fs.stat(path);
  if (size === 0) return void 0;
  const offset = Math.max(0, size - TAIL);
  const text = await $.fs.read(path, { offset, length: TAIL });
  const line = text.split("\n").find((one) => one.includes(`{"call":${JSON.stringify(id)}`));
  return line === void 0 ? void 0 : JSON.parse(line);
}

// src/mod/pane.ts
async function drawPane($, e) {
  const view = await viewOf($);
  const elements = $.ui.resolve(e);
  const { Box, Text } = elements;
  if (!view?.name || !view.pane)
    return h(Text, {}, "This session has not joined: ask it to run agent-chat join <name>");
  const room = roomIn(e);
  const pane = view.pane;
  const cards = view.questions.map((question) => card($, question, room, elements));
  const held = [...needLines(view, room, elements), ...heldLines($, pane, room, elements)];
  const cardLines = cards.reduce((sum, { rows: rows2 }) => sum + rows2, 0);
  const taken = 2 + linesOfSessions(view, room) + cardLines + held.length;
  const log = conversation(pane, Math.max(LOG, room.rows - taken), room, elements);
  const asked = cards.map(({ drawn }) => drawn);
  const parts = room.beside && taken + LOG < room.rows ? [sessions($, view, elements), ...asked, ...held, ...log, field($, pane, room, elements)] : [field($, pane, room, elements), ...asked, sessions($, view, elements), ...held, ...log];
  return h(Box, { flexDirection: "column" }, ...parts);
}
function roomIn({ props }) {
  const { bodyRows } = props.scroll ?? {};
  return {
    columns: Number(props.bodyColumns) || 40,
    rows: Math.max(5, bodyRows ?? 12),
    beside: props.placement === "dock"
  };
}
var LOG = 2;
var NAMED = 5;
var STATES = { busy: "\u25D0", asking: "?", idle: "\u25CF", unknown: "\u25CB" };
function sessions($, view, { Box, Text, Button }) {
  const { sessions: all = [], peer = null } = view.pane ?? {};
  const others = all.filter(({ name }) => name !== view.name);
  const buttons = others.map(
    ({ name, state, unread }) => h(Button, {
      key: `to-${name}`,
      plain: true,
      dimColor: name !== peer,
      label: `${name === peer ? "\u25B8" : " "}${STATES[state] ?? "\u25CB"} @${name}${unread > 0 ? ` ${unread}` : ""} `,
      onPress: () => choose($, name)
    })
  );
  return h(Box, { flexWrap: "wrap" }, h(Text, { dimColor: true }, `@${view.name} to `), ...buttons);
}
function card($, question, { columns, beside }, elements) {
  const { Box, Text } = elements;
  const inner = beside ? columns - 4 : columns;
  const { title, text, labels } = cardText(question, inner);
  const buttons = optionButtons($, question, labels, elements);
  const widths = labels.map((label) => cellsOf(label) + 4);
  const color = { color: "warning", wrap: "truncate-end" };
  const isOneLine = title.length === 1 && linesOf([cellsOf(title[0] ?? "") + 1, ...widths], inner) === 1;
  if (!beside && text.length === 0 && isOneLine)
    return { drawn: h(Box, {}, h(Text, color, `${title[0]} `), ...buttons), rows: 1 };
  const drawn = h(
    Box,
    beside ? { flexDirection: "column", borderStyle: "round", borderColor: "warning" } : { flexDirection: "column" },
    ...title.map((line) => h(Text, beside ? { bold: true } : color, line)),
    ...text.map((line) => h(Text, {}, line === "" ? " " : line)),
    h(Box, { flexWrap: "wrap" }, ...buttons)
  );
  const rows2 = title.length + text.length + linesOf(widths, inner) + (beside ? 2 : 0);
  return { drawn, rows: rows2 };
}
function cardText({ from, title, text, options }, columns) {
  const fits = options.every((option) => cellsOf(option) + 4 <= columns);
  const listed = fits ? [] : options.map((option, at) => `${at + 1}. ${option}`);
  return {
    title: wrapped(`? @${from}: ${title}`, columns),
    text: [...text === "" ? [] : [text], ...listed].flatMap((one) => wrapped(one, columns)),
    labels: fits ? options : options.map((_, at) => String(at + 1))
  };
}
function linesOfSessions({ name, pane }, { columns }) {
  const words = (pane?.sessions ?? []).map((one) => one.name.length + 7);
  return Math.max(1, linesOf([(name ?? "").length + 5, ...words], columns));
}
function needLines({ needs }, { columns }, { Text }) {
  if (needs.length === 0) return [];
  const line = (text) => h(Text, { color: "warning", wrap: "truncate-end" }, text);
  const named = needs.filter((need) => "name" in need).slice(0, NAMED);
  return [
    line(`\u25B6 ${needs.length} ${needs.length === 1 ? "needs" : "need"} you`),
    ...named.map((need) => line(needLine(need, columns)))
  ];
}
function heldLines($, { held }, room, elements) {
  const { Box, Text, Button } = elements;
  const chains = [...new Map(held.map((one) => [one.chain, one])).values()];
  return chains.slice(0, 3).map(
    ({ to, chain, why }) => h(
      Box,
      {},
      h(Text, { wrap: "truncate-end" }, `\u23F8 to @${to}: ${cut(why, room.columns - to.length - 20)} `),
      h(Button, {
        key: `held-${chain}`,
        label: "release",
        onPress: () => act($, { do: "release", chain })
      })
    )
  );
}
function conversation(pane, rows2, { columns }, { Text }) {
  const head = h(Text, { dimColor: true }, "\u2500".repeat(Math.max(1, columns)));
  if (pane.messages.length === 0)
    return [head, h(Text, { dimColor: true }, pane.peer ? "no messages yet" : "no other session")];
  const name = (whole) => `@${cut(whole, Math.max(8, Math.floor(columns / 4)))}`;
  const lines = pane.messages.slice(-rows2).map(
    ({ at, from, to, title }) => h(
      Text,
      { wrap: "truncate-end" },
      h(Text, { dimColor: true }, `${clockOf(at)} `),
      h(Text, { color: from === "human" ? "success" : "claude" }, name(from)),
      ` \u2192 ${name(to)} ${title}`
    )
  );
  return [head, ...lines];
}
function clockOf(iso) {
  const at = new Date(iso);
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}
function field($, { peer }, { columns }, { Input, Text }) {
  if (peer === null) return h(Text, { dimColor: true }, "Nobody to write to yet.");
  return h(Input, {
    key: "say",
    label: `to @${cut(peer, Math.max(8, Math.floor(columns / 3)))}`,
    placeholder: columns < 50 ? "write" : "write, as you",
    submitLabel: "send",
    autoFocus: true,
    onSubmit: (text) => {
      if (text.trim() !== "") void act($, { do: "send", to: peer, text });
    }
  });
}

// src/mod/rows.ts
var RING = /(?:New message|\d+ new messages)(?: from (@[a-z0-9-]+(?:, @[a-z0-9-]+)*))?\. Check inbox\./;
var HEAD = /^(Stop )?hook feedback$/i;
var coming = [];
var rows = /* @__PURE__ */ new Map();
function notePrompt({ text, origin }) {
  if (origin.kind !== "task-notification") return;
  const ring = RING.exec(text);
  coming.push(ring ? ring[1] ?? "a new message" : "");
  coming.splice(0, coming.length - 20);
}
async function drawRing($, e, next) {
  const { origin, text, isExpanded } = e.props;
  if (origin?.kind !== "task-notification" || isExpanded || !HEAD.test(text ?? "")) return next(e);
  const row = rows.get(e.requestId) ?? { senders: coming.shift() ?? "", title: "" };
  rows.set(e.requestId, row);
  if (row.senders === "") return next(e);
  row.title ||= await titleOf($, row.senders);
  const { Box, Text } = $.ui.resolve(e);
  return h(
    Box,
    {},
    h(Text, { color: "claude" }, "\u2709 "),
    h(Text, { bold: true }, row.senders),
    h(Text, { wrap: "truncate-end" }, row.title === "" ? "" : `: "${row.title}"`)
  );
}
async function titleOf($, senders) {
  const { latest = [] } = await viewOf($) ?? {};
  const about = latest.filter(({ from }) => senders.split(", ").includes(`@${from}`));
  return about.at(-1)?.title ?? "";
}
async function drawToolUse($, e, next) {
  const { value } = await $.state.get(ASKED);
  const asked = value;
  const drawn = await next(e);
  const isOver = e.props.output !== void 0 || e.props.isErrored === true;
  if (!asked || asked.id !== e.props.tool_use_id || isOver) return drawn;
  const { Box, Text } = $.ui.resolve(e);
  const line = `  \u2709 asked for by ${asked.by}, not by you`;
  return h(Box, { flexDirection: "column" }, drawn, h(Text, { color: "warning" }, line));
}

// src/mod/room.ts
function register(on) {
  on("session.start", async ($, e, next) => {
    await begin($, e);
    return next(e);
  }).catch(pass);
  on("prompt.submit", async ($, e, next) => {
    notePrompt(e);
    await witness($, e);
    return next(e);
  }).catch(pass);
  on("turn.complete", async ($, e, next) => {
    if (e.isAborted && e.agentId === void 0) await ended($);
    return next(e);
  }).catch(pass);
  on("tool.check", checkBelt).catch(() => ({
    decision: "deny",
    reason: "agent-chat: nothing could tell whether you have to be asked about this call"
  }));
  on("command.run", { command: "room" }, openPane).catch(() => ({ text: "no room here" }));
  on("ui.render", { component: "AbovePrompt" }, drawBand).catch(pass);
  on("ui.render", { component: "Pane", requestId: "room" }, drawPane).catch(pass);
  on("ui.render", { component: "UserMessage" }, drawRing).catch(pass);
  on("ui.render", { component: "ToolUse" }, drawToolUse).catch(pass);
}
function pass(_, e, next) {
  return next(e);
}
export {
  register
};
