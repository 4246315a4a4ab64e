"use strict";var h=Object.defineProperty;var v=Object.getOwnPropertyDescriptor;var k=Object.getOwnPropertyNames;var _=Object.prototype.hasOwnProperty;var b=(e,a)=>{for(var s in a)h(e,s,{get:a[s],enumerable:!0})},x=(e,a,s,t)=>{if(a&&typeof a=="object"||typeof a=="function")for(let m of k(a))!_.call(e,m)&&m!==s&&h(e,m,{get:()=>a[m],enumerable:!(t=v(a,m))||t.enumerable});return e};var j=e=>x(h({},"__esModule",{value:!0}),e);var M={};b(M,{completionScript:()=>F});module.exports=j(M);function u({launcher:e,verbs:a}){return`# Completion of agent-chat for bash. Made by: agent-chat completion bash

# What may follow: sets kind, for the value of a flag, an argument by its number from 0, or with "flags" the flags.
_agent_chat_kind() {
  kind=
  case $1:$2 in
${[{...e,name:""},...a].map(S).join("")}  esac
}

# The words of a kind, one a line.
_agent_chat_words() {
  case $1 in
    @files | @text | '') ;;
    @*) agent-chat completion --words "\${1#@}" 2>/dev/null | cut -f 1 ;;
    *) printf '%s\\n' $1 ;;
  esac
}

_agent_chat() {
  local line=\${COMP_LINE:0:COMP_POINT} word kind value= verb= first= count=0 flags=yes prefix= cut= at i
  local -a words
  # bash cuts words at @, : and =, so they are taken from the line itself.
  IFS=$' \\t\\n' read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local typed=\${words[\${#words[@]} - 1]}
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $value ]]; then
      value=
    elif [[ $word == -- ]]; then
      flags=
    elif [[ -n $flags && $word == -* ]]; then
      _agent_chat_kind "$verb" "$word"
      [[ $word != *=* ]] && value=$kind
    elif [[ -z $first ]]; then
      first=$word
      # Any other word is the name of a session that is to be started.
      case $word in ${a.map(({name:s})=>s).join(" | ")}) verb=$word ;; esac
    else
      count=$((count + 1))
    fi
  done
  if [[ -n $value ]]; then
    kind=$value
  elif [[ -n $flags && $typed == --*=* ]]; then
    _agent_chat_kind "$verb" "\${typed%%=*}"
    prefix=\${typed%%=*}=
  elif [[ -n $flags && $typed == -* ]]; then
    _agent_chat_kind "$verb" flags
  elif [[ -z $first ]]; then
    kind='${a.map(({name:s})=>s).join(" ")}'
    [[ $typed != @* ]] && kind="$kind $(_agent_chat_words @sessions)"
    [[ $typed == @* ]] && kind=@sessions
  else
    _agent_chat_kind "$verb" "$count"
    [[ -z $kind ]] && _agent_chat_kind "$verb" rest
  fi
  # What stands up to the last of those signs stays on the line; a word keeps the @ that it begins with.
  for ((i = 0; i < \${#typed}; i++)); do
    at=\${typed:i:1}
    if [[ $at == [@$] ]]; then
      cut=\${typed:0:i}
    elif [[ $COMP_WORDBREAKS == *"$at"* ]]; then
      cut=\${typed:0:i + 1}
    fi
  done
  typed=\${typed#"$prefix"}
  COMPREPLY=()
  if [[ $kind == @files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
      word=$prefix$word
      COMPREPLY+=("\${word#"$cut"}")
    done < <(compgen -f -- "$typed")
    return
  fi
  while IFS= read -r word; do
    if [[ $kind == @names || $kind == @sessions ]] && [[ $typed == @* || -z $typed ]]; then word=@$word; fi
    [[ $word != @ && -n $word && $word == "$typed"* ]] || continue
    word=$prefix$word
    COMPREPLY+=("\${word#"$cut"}")
  done < <(_agent_chat_words "$kind")
}

complete -F _agent_chat agent-chat
`}function S({name:e,flags:a,args:s,rest:t}){return[...a.filter(n=>n.value!==void 0).map(({names:n,value:o})=>[n,o]),...s.map((n,o)=>[[String(o)],n]),...t===void 0?[]:[[["rest"],t]],[["flags"],a.flatMap(({names:n})=>n)]].map(([n,o])=>`    ${n.map($=>`${e}:${$}`).join(" | ")}) kind='${O(o)}' ;;
`).join("")}function O(e){return typeof e=="string"?`@${e}`:e.join(" ")}var d={launcher:{name:"agent-chat",summary:"",flags:[{names:["-V","--version"],summary:"print the version"},{names:["--cmd"],summary:"start another agent ($AGENT_CHAT_CMD)",value:"text"},{names:["--detach"],summary:"do not attach to the tmux session"},{names:["--no-tmux"],summary:"run the agent in this terminal"},{names:["--force"],summary:"take the name over from a session that is alive elsewhere"},{names:["--json"],summary:"print data, and errors, as JSON"},{names:["-h","--help"],summary:"show help"}],args:[]},verbs:[{name:"send",summary:"send a message to one session",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--file"],summary:"read the body from a file",value:"files"},{names:["--kind"],summary:"what the message is",value:["handover","question","reply","task","result","note"]},{names:["--subject"],summary:"one line that says what it is about",value:"text"},{names:["--reply-to"],summary:"the message that this one answers",value:"ids"},{names:["--question"],summary:"the same as --kind question"},{names:["--handover"],summary:"in the format of a handover: says which parts are missing; at a terminal it opens your editor"},{names:["--with-diffstat"],summary:"add what has changed in this git repository since the last handover to that session"},{names:["--attach"],summary:"name a file by its path, size and hash; may be given again",value:"files"},{names:["--urgent"],summary:"ring in the middle of a turn, too"},{names:["--quiet"],summary:"do not ring: it waits for the next look"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["--wait"],summary:"wait until it has come so far",value:["rung","presented","read","answered"]},{names:["--timeout"],summary:"how long to wait (default: 60)",value:"text"},{names:["-h","--help"],summary:"show help"}],args:["names","text"],rest:"text"},{name:"inbox",summary:"print unread messages, urgent ones first, then the oldest, and mark them read",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--peek"],summary:"leave them unread"},{names:["--count"],summary:"print the number of unread messages alone"},{names:["--limit"],summary:"at most this many",value:"text"},{names:["--budget"],summary:"print at most so much, 8192 without it; the rest stays unread",value:"text"},{names:["--full"],summary:"print all of it, however long"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"reply",summary:"answer a message, in its thread",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--file"],summary:"read the body from a file",value:"files"},{names:["--attach"],summary:"name a file by its path, size and hash; may be given again",value:"files"},{names:["--question"],summary:"ask back: the answer is a question itself"},{names:["--urgent"],summary:"ring in the middle of a turn, too"},{names:["--quiet"],summary:"do not ring: it waits for the next look"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["ids","text"],rest:"text"},{name:"ask",summary:"ask a session a question and wait for its answer",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--timeout"],summary:"how long to wait for the answer",value:"text"},{names:["--no-wait"],summary:"end as soon as the other side is idle without an answer, or its user has a dialog open"},{names:["--resume"],summary:"wait again for the answer to a question that was asked before",value:"ids"},{names:["--file"],summary:"read the question from a file",value:"files"},{names:["--urgent"],summary:"ring in the middle of a turn, too"},{names:["--quiet"],summary:"do not ring: it waits for the next look"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["names","text"],rest:"text"},{name:"task",summary:"give a session a task whose state can be followed",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--file"],summary:"read the text from a file",value:"files"},{names:["--attach"],summary:"name a file by its path, size and hash; may be given again",value:"files"},{names:["--subject"],summary:"one line that says what it is about",value:"text"},{names:["--urgent"],summary:"ring in the middle of a turn, too"},{names:["--quiet"],summary:"do not ring: it waits for the next look"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["names","text"],rest:"text"},{name:"tasks",summary:"the tasks and how they stand, oldest first",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--mine"],summary:"only those that you were given"},{names:["--from"],summary:"only those that the session of this name gave",value:"names"},{names:["--open"],summary:"only those that are sent, accepted or working, not done, failed or declined"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"accept",summary:"take on a task",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["tasks"],rest:"tasks"},{name:"decline",summary:"give a task back, and say why",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--why"],summary:"the reason",value:"text"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["tasks"],rest:"tasks"},{name:"done",summary:"say that a task is done, with its result",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--file"],summary:"read the result from a file",value:"files"},{names:["--attach"],summary:"name a file by its path, size and hash; may be given again",value:"files"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["tasks","text"],rest:"text"},{name:"fail",summary:"say that a task cannot be done, and why",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--why"],summary:"the reason",value:"text"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["tasks"],rest:"tasks"},{name:"escalate",summary:"ask the human for a decision; the answer comes back as a message",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--option"],summary:"a choice; once for each",value:"text"},{names:["--context"],summary:"what one has to know to decide",value:"text"},{names:["--recommend"],summary:"what you would do, and why",value:"text"},{names:["--urgent"],summary:"ring in the middle of a turn, too"},{names:["--quiet"],summary:"do not ring: it waits for the next look"},{names:["--from"],summary:"the sender, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["text"],rest:"text"},{name:"thread",summary:"the whole conversation of a message, oldest first",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:["ids"]},{name:"history",summary:"the last messages of everyone, oldest first",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--with"],summary:"only messages from or to this session",value:"names"},{names:["--follow"],summary:"go on printing as messages are sent, until Ctrl-C"},{names:["-h","--help"],summary:"show help"}],args:["text"]},{name:"search",summary:"the messages that hold all of these words, newest first, with the matching line",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--from"],summary:"only messages from this session",value:"names"},{names:["--to"],summary:"only messages to this session",value:"names"},{names:["--since"],summary:"only messages that are no older: 30m, 12h, 2d, 4w",value:"text"},{names:["--kind"],summary:"only messages of this kind",value:["handover","question","reply","task","result","note"]},{names:["--limit"],summary:"how many at most",value:"text"},{names:["-h","--help"],summary:"show help"}],args:["text"],rest:"text"},{name:"show",summary:"one message, with what has become of it",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--lines"],summary:"only these lines of its body: 41-80, 41-, -40 or 41",value:"text"},{names:["-h","--help"],summary:"show help"}],args:["ids"]},{name:"who",summary:"the sessions: name, pane, state, unread, joined, alive or not",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"status",summary:"what a session is doing and since when, on what task, and what has reached it",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"console",summary:"the room of the person at the keyboard: see, speak and stop",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--plain"],summary:"lines in place of a screen, for pipes and screen readers"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"join",summary:"register a session and start its watcher",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--force"],summary:"take the name over from a session that is alive elsewhere"},{names:["--no-watch"],summary:"start no watcher"},{names:["--doorbell"],summary:"auto, native, tmux or stdout",value:"text"},{names:["-h","--help"],summary:"show help"}],args:["names","text"]},{name:"leave",summary:"unregister a session and stop its watcher; unread messages stay",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"rename",summary:"give a session another name; it keeps its inbox and its conversations",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:["sessions","text"]},{name:"watch",summary:"ring for a session's unread messages, in the foreground",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--doorbell"],summary:"auto, native, tmux or stdout",value:"text"},{names:["-h","--help"],summary:"show help"}],args:["names","text"]},{name:"watch-file",summary:"send a session a note with a short diff when a file changes",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--notify"],summary:"who is told, as @name",value:"names"},{names:["--foreground"],summary:"watch here, until Ctrl-C, and not in the background"},{names:["--list"],summary:"the watched files"},{names:["--remove"],summary:"watch it no more; with --notify, for that one alone",value:"files"},{names:["--from"],summary:"the sender of the notes, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["files"]},{name:"gate",summary:"what the guardrails let pass now, and why",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--revoke"],summary:"take back what was approved beforehand for messages to or from this session",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"approve",summary:"let the next messages to or from a session pass without a dialog",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--count"],summary:"this many messages (1, or with --for: any number)",value:"text"},{names:["--for"],summary:"for so long: 30m, 2h, 1d",value:"text"},{names:["--revoke"],summary:"take an approval back"},{names:["--name"],summary:"whose approval it is, where nothing else tells",value:"names"},{names:["-h","--help"],summary:"show help"}],args:["names"]},{name:"pause",summary:"silence every doorbell at once",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"resume",summary:"let a held chain, or everything, ring again",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--all"],summary:"every held message, and every doorbell that was paused"},{names:["-h","--help"],summary:"show help"}],args:["ids"]},{name:"prune",summary:"remove old conversations that are over",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--older-than"],summary:"how old each message of a conversation must be, for example 12h, 8w (default: 30d)",value:"text"},{names:["--dry-run"],summary:"only say what would be removed"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"stats",summary:"messages, and about how many tokens, per session, per pair and over time",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--since"],summary:"only messages that are no older: 30m, 12h, 2d, 4w",value:"text"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"export",summary:"messages as one markdown or JSON file, oldest first",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--thread"],summary:"only the conversation of this message",value:"ids"},{names:["--since"],summary:"only messages that are no older: 30m, 12h, 2d, 4w",value:"text"},{names:["--format"],summary:"markdown (default), or json",value:["markdown","json"]},{names:["--out"],summary:"write to this file, which appears when it is whole; else, or with -, to standard output",value:"files"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"doctor",summary:"check and mend the installation and the home, and send one message through a real doorbell",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--no-ring"],summary:"send no message through a throwaway home and tmux server"},{names:["--report"],summary:"mend nothing, and print all that a bug report needs, without any message"},{names:["--out"],summary:"write the report to this file",value:"files"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"setup",summary:"install what is missing, make the home, put agent-chat on PATH, and prove that it works",flags:[{names:["--json"],summary:"print data as JSON"},{names:["--yes"],summary:"install what is missing without asking"},{names:["--check"],summary:"only report; exit 7 where something is missing"},{names:["--completion"],summary:"complete with Tab, in your shell or this one: bash, zsh or fish",value:["bash","zsh","fish"]},{names:["--no-ring"],summary:"send no message through a throwaway home and tmux server at the end"},{names:["-h","--help"],summary:"show help"}],args:[]},{name:"completion",summary:"the script with which a shell completes commands, flags, session names and ids",flags:[{names:["--json"],summary:"print data as JSON"},{names:["-h","--help"],summary:"show help"}],args:[["bash","zsh","fish"]]}]};function g({launcher:e,verbs:a}){return`# Completion of agent-chat for fish. Made by: agent-chat completion fish

# Whether this command, "" for none yet and "-" for a session's name, stands before the cursor, and with a number, so many arguments of it.
function __agent_chat_at -a verb number
    set -l words (commandline -opc)
    set -e words[1]
    set -l found
    set -l count 0
    set -l skip
    set -l flags yes
    for word in $words
        if test -n "$skip"
            set skip
        else if test "$word" = --
            set flags
        else if test -n "$flags"; and string match -q -- '-*' $word
            contains -- $word (__agent_chat_taking "$found"); and set skip yes
        else if not set -q found[1]
            set found -
            contains -- $word ${a.map(({name:s})=>s).join(" ")}; and set found $word
        else
            set count (math $count + 1)
        end
    end
    test "$found" = "$verb"; or return 1
    test -z "$number"; or test "$number" = $count; or test "$number" = "$(math $count)+"; and return
    string match -q -- '*+' "$number"; and test $count -ge (string trim -r -c + -- $number)
end

# The flags of a command that take a value.
function __agent_chat_taking -a verb
    switch "$verb"
${[{...e,name:""},{...e,name:"-"},...a].map(J).join("")}    end
end

# Words that are only known now, with @ before names unless something else was typed.
function __agent_chat_words -a kind
    command -q agent-chat; or return
    set -l at ''
    if contains -- $kind names sessions; and string match -qr -- '^(@|$|--[a-z-]+=(@|$))' (commandline -ct)
        set at @
    end
    for line in (agent-chat completion --words $kind 2>/dev/null)
        echo $at$line
    end
end

complete -c agent-chat -e
complete -c agent-chat -f
complete -c agent-chat -n '__agent_chat_at ""' -k -a '(__agent_chat_words sessions)'
${a.map(({name:s,summary:t})=>`complete -c agent-chat -n '__agent_chat_at ""' -a ${s} -d ${i(t)}
`).join("")}${[{...e,name:""},{...e,name:"-"},...a].map(V).join("")}`}function J({name:e,flags:a}){let s=a.filter(({value:t})=>t!==void 0).flatMap(({names:t})=>t);return s.length===0?"":`        case ${i(e)}
            string split ' ' -- ${i(s.join(" "))}
`}function V({name:e,flags:a,args:s,rest:t}){let m=s.map((r,n)=>{let o=t!==void 0&&n===s.length-1?`${n}+`:String(n);return z(e,o,r)});return[...a.map(r=>q(e,r)),...m].join("")}function q(e,{names:a,summary:s,value:t}){let m=a.map(n=>n.startsWith("--")?`-l ${n.slice(2)}`:`-s ${n.slice(1)}`).join(" "),r=t===void 0?"":` ${C(t)}`;return`complete -c agent-chat -n ${y(e)} ${m}${r} -d ${i(s)}
`}function z(e,a,s){return s==="text"?"":`complete -c agent-chat -n ${y(e,a)} ${s==="files"?"-F":`-k -a ${f(s)}`}
`}function C(e){return e==="files"?"-r -F":e==="text"?"-x":`-x -k -a ${f(e)}`}function f(e){return typeof e=="string"?`'(__agent_chat_words ${e})'`:i(e.join(" "))}function y(e,a){return`'__agent_chat_at "${e}"${a===void 0?"":` ${a}`}'`}function i(e){return`'${e.replaceAll(/[\\']/g,"\\$&")}'`}function p({launcher:e,verbs:a}){return`#compdef agent-chat
# Completion of agent-chat for zsh. Made by: agent-chat completion zsh

_agent-chat_words() {
  local -a lines values shown
  local at=
  [[ -z $PREFIX || $PREFIX == @* ]] && [[ $1 == names || $1 == sessions ]] && at=@
  lines=(\${(f)"$(agent-chat completion --words $1 2>/dev/null)"})
  values=($at\${^lines%%$'\\t'*})
  shown=($at\${^lines//$'\\t'/  })
  (( $#lines )) && compadd -V $1 -l -d shown -a values
}
_agent-chat_names() { _agent-chat_words names }
_agent-chat_sessions() { _agent-chat_words sessions }
_agent-chat_ids() { _agent-chat_words ids }
_agent-chat_tasks() { _agent-chat_words tasks }

_agent-chat_first() {
  local -a verbs
  verbs=(
${a.map(({name:s,summary:t})=>`    ${w(`${s}:${t}`)}
`).join("")}  )
  [[ $PREFIX != @* ]] && _describe -t commands command verbs
  _agent-chat_sessions
}

_agent-chat() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C ${e.flags.map(l).join(" ")} '1: :_agent-chat_first' '*:: :->rest' && return
  [[ $state == rest ]] || return 1
  case $words[1] in
${a.map(T).join("")}    *) _arguments ${e.flags.map(l).join(" ")} ;;
  esac
}

if (( \${funcstack[(I)_agent-chat]} )); then
  _agent-chat "$@"
elif (( $+functions[compdef] )); then
  compdef _agent-chat agent-chat
fi
`}function T({name:e,flags:a,args:s,rest:t}){let m=s.map((r,n)=>`'${t!==void 0&&n===s.length-1?"*":n+1}: :${c(r)}'`);return`    ${e}) _arguments ${[...a.map(l),...m].join(" ")} ;;
`}function l({names:e,summary:a,value:s}){let t=e.length>1?`(${e.join(" ")})`:"",m=`[${a.replaceAll(/[[\]\\:]/g,"\\$&")}]${s===void 0?"":`: :${c(s)}`}`;return e.map(r=>s===void 0?`${t}${r}`:`*${r}${r.startsWith("--")?"=":""}`).map(r=>w(`${r}${m}`)).join(" ")}function c(e){return typeof e!="string"?`(${e.join(" ")})`:e==="files"?"_files":e==="text"?"()":`_agent-chat_${e}`}function w(e){return`'${e.replaceAll("'","'\\''")}'`}var P={bash:u,zsh:p,fish:g};function F(e){return P[e](d)}0&&(module.exports={completionScript});
