"use strict";var S=Object.defineProperty;var Q=Object.getOwnPropertyDescriptor;var ee=Object.getOwnPropertyNames;var te=Object.prototype.hasOwnProperty;var ne=(e,t)=>{for(var n in t)S(e,n,{get:t[n],enumerable:!0})},re=(e,t,n,r)=>{if(t&&typeof t=="object"||typeof t=="function")for(let o of ee(t))!te.call(e,o)&&o!==n&&S(e,o,{get:()=>t[o],enumerable:!(r=Q(t,o))||r.enumerable});return e};var oe=e=>re(S({},"__esModule",{value:!0}),e);var De={};ne(De,{completionCommand:()=>Me});module.exports=oe(De);var d=class extends Error{code;hint;lines;constructor(t,n,r){super(n,{cause:r.cause}),this.code=t,this.hint=r.hint,this.lines=r.lines??[]}};var l=require("fs"),h=require("path");function m(e,...t){return e instanceof Error&&"code"in e&&typeof e.code=="string"&&t.includes(e.code)}function p(e,t){try{return t()}catch(n){if(m(n,...e))return;throw n}}var i=require("fs"),se=require("path");function R(e){return p(["ENOENT"],()=>(0,i.openSync)(e,"r"))}var w=["bash","zsh","fish"];var E=[{word:"start",group:"Sessions",summary:"Start a session: Claude Code or another agent, in tmux"},{word:"attach",group:"Sessions",summary:"Show the terminal of a session that runs in tmux"},{word:"stop",group:"Sessions",summary:"End a session's agent; unread messages stay"},{word:"join",group:"Sessions",summary:"Register this session under a name"},{word:"leave",group:"Sessions",summary:"Unregister a session; its agent keeps running"},{word:"rename",group:"Sessions",summary:"Rename a session; it keeps its inbox and conversations"},{word:"who",group:"Sessions",summary:"List the sessions: pane, state, unread messages",reads:!0,free:!0,slash:{usage:""}},{word:"status",group:"Sessions",summary:"Show what a session is doing, and its tasks",reads:!0,free:!0,slash:{usage:"[@name]",takes:"name"}},{word:"whoami",group:"Sessions",summary:"Print the name that this command speaks under",free:!0},{word:"send",group:"Messages",summary:"Send a message to one session",free:!0},{word:"ask",group:"Messages",summary:"Ask a session a question and wait for the answer",free:!0},{word:"reply",group:"Messages",summary:"Answer a message, in its thread",free:!0},{word:"inbox",group:"Messages",summary:"Print unread messages and mark them read",reads:!0,free:!0},{word:"show",group:"Messages",summary:"Show one message and what has happened to it",reads:!0,free:!0,slash:{usage:"<id>",takes:"id"}},{word:"thread",group:"Messages",summary:"Show the whole conversation of a message, oldest first",reads:!0,free:!0,slash:{usage:"<id>",takes:"id"}},{word:"history",group:"Messages",summary:"List the last messages of all sessions, oldest first",reads:!0,free:!0,slash:{usage:"[count] [--with @name]",takes:"name"}},{word:"search",group:"Messages",summary:"Find messages by words, newest first",reads:!0,free:!0,slash:{usage:"words"}},{word:"task",group:"Tasks",summary:"Give a session a task and follow its state",free:!0},{word:"tasks",group:"Tasks",summary:"List tasks and their states, oldest first",reads:!0,free:!0,slash:{usage:"[--open]"}},{word:"accept",group:"Tasks",summary:"Accept a task",free:!0},{word:"decline",group:"Tasks",summary:"Decline a task and say why",free:!0},{word:"done",group:"Tasks",summary:"Finish a task, with its result",free:!0},{word:"fail",group:"Tasks",summary:"Give up a task and say why",free:!0},{word:"console",group:"You",summary:"Open your room: see every message, write, answer, stop"},{word:"escalate",group:"You",summary:"Ask the human for a decision",free:!0},{word:"gate",group:"Guardrails",summary:"Show what the guardrails allow now, and why",free:!0,slash:{usage:"[name]",takes:"name"}},{word:"approve",group:"Guardrails",summary:"Let the next messages of a session pass without a dialog",free:!0,slash:{usage:"@peer --name @session",takes:"name"}},{word:"pause",group:"Guardrails",summary:"Silence every doorbell; messages are kept",free:!0,slash:{usage:""}},{word:"unpause",group:"Guardrails",summary:"Let everything ring again: doorbells and held messages",free:!0},{word:"release",group:"Guardrails",summary:"Let the held messages of one chain ring",free:!0},{word:"resume",group:"Guardrails",summary:"Old name of release and unpause",free:!0,hidden:!0},{word:"stats",group:"Archive",summary:"Count messages and tokens, by session, pair and day",reads:!0,free:!0,slash:{usage:""}},{word:"export",group:"Archive",summary:"Write messages to one markdown or JSON file",reads:!0},{word:"prune",group:"Archive",summary:"Remove old conversations that are over"},{word:"watch-file",group:"Archive",summary:"Send a session a short diff whenever a file changes"},{word:"setup",group:"Setup",summary:"Install what is missing and prove that it works"},{word:"doctor",group:"Setup",summary:"Check and repair the installation and the home"},{word:"completion",group:"Setup",summary:"Print the script that completes commands with Tab"},{word:"help",group:"Setup",summary:"Show help for a command, exit-codes or environment",free:!0},{word:"watch",group:"Setup",summary:"Ring for a session's unread messages, in the foreground",hidden:!0}];function P(e){return E.find(t=>t.word===e)}function _(e,t,n){let r=e.command(t).description(P(t)?.summary??"").option("--json","print data as JSON").addHelpText("after",`
Example:
  ${n.replaceAll(`
`,`
  `)}`);return Object.assign(r,{example:n.replaceAll(/ \\\n\s*/g," ").split(`
`)[0]})}var ie=`# Completion of agent-chat for bash. Made by: agent-chat completion bash

_agent_chat() {
  local line=\${COMP_LINE:0:COMP_POINT} typed cut prefix= offered word
  local -a words
  # bash cuts words at @, : and =, so they are taken from the line itself.
  IFS=$' \\t\\n' read -r -d '' -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  typed=\${words[\${#words[@]} - 1]}
  # Everything up to the last of those signs stays on the line, except an @.
  cut=\${typed%"\${typed##*[$COMP_WORDBREAKS]}"}
  cut=\${cut%@}
  offered=$(agent-chat completion --at "\${words[@]:1}" 2>/dev/null | cut -f 1)
  if [[ $offered == :files ]]; then
    [[ $typed == --*=* ]] && prefix=\${typed%%=*}=
    compopt -o filenames 2>/dev/null
    offered=$(compgen -f -- "\${typed#"$prefix"}")
    typed=$prefix
  fi
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word:+$prefix$word}
    [[ -n $word && $word == "$typed"* ]] && COMPREPLY+=("\${word#"$cut"}")
  done <<< "$offered"
}

complete -F _agent_chat agent-chat
`,ae=`#compdef agent-chat
# Completion of agent-chat for zsh. Made by: agent-chat completion zsh

_agent-chat() {
  local -a before=("\${(@Q)words[2,CURRENT-1]}") offered
  offered=(\${(f)"$(agent-chat completion --at "$before[@]" "\${(Q)PREFIX}" 2>/dev/null)"})
  if [[ $offered == :files ]]; then
    compset -P '--*='
    _files
  else
    offered=("\${(@)offered//:/\\\\:}")
    offered=("\${(@)offered/$'\\t'/:}")
    _describe -V agent-chat offered
  fi
}

if (( \${funcstack[(I)_agent-chat]} )); then
  _agent-chat "$@"
elif (( $+functions[compdef] )); then
  compdef _agent-chat agent-chat
fi
`,ue=`# Completion of agent-chat for fish. Made by: agent-chat completion fish

function __agent_chat
    command -q agent-chat; or return
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l offered (agent-chat completion --at $words "$typed" 2>/dev/null)
    if test "$offered" = :files
        set -l prefix (string match -r -- '^--[^=]*=' "$typed")
        set offered (__fish_complete_path (string replace -- "$prefix" '' "$typed"))
        set offered "$prefix"$offered
    end
    string join \\n -- $offered
end

complete -c agent-chat -e
complete -c agent-chat -f -k -a '(__agent_chat)'
`,A={bash:ie,zsh:ae,fish:ue};var V=require("fs");var c=/^[a-z][a-z0-9-]{0,31}$/,N="human",de="agent-chat",ce=["all","everyone"],tt=new Set([...E.map(({word:e})=>e),...ce,"help","read",N,de]);var fe=/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{6})Z-from-(.+)$/;var me=/^[A-Za-z0-9][A-Za-z0-9._:+-]{0,199}\.md$/;function pe(e){let t=fe.exec(e);if(!t)return;let[,n,r,o,s,a,u,q,T=""]=t,X=Date.UTC(Number(n),Number(r)-1,Number(o),Number(s),Number(a),Number(u))/1e3;if(c.test(T))return{micros:X*1e6+Number(q),from:T}}function x(e){return(pe(e)?.micros??0)/1e3}function le(e){return me.test(e)}function v(e){return le(e)?e.slice(0,-3):void 0}var f=require("fs");var ge=64*1024;function*M(e){let t=R(e);if(t!==void 0)try{let n=(0,f.fstatSync)(t).size,r=Buffer.alloc(0);for(;n>0;){let o=Math.min(ge,n);n-=o;let s=Buffer.alloc(o);(0,f.readSync)(t,s,0,o,n);let a=r.length===0?s:Buffer.concat([s,r]);for(let u=a.lastIndexOf(10);u>=0;u=a.lastIndexOf(10))u+1<a.length&&(yield a.toString("utf8",u+1)),a=a.subarray(0,u);r=a}r.length>0&&(yield r.toString("utf8"))}finally{(0,f.closeSync)(t)}}var L=require("fs");var C=require("fs");function D(e){try{return JSON.parse((0,C.readFileSync)(e,"utf8"))}catch(t){if(m(t,"ENOENT"))return;if(t instanceof SyntaxError)return null;throw t}}var H=[],y;function U(e){let t=he(e);return t===""?H:((y?.path!==e.names||y.version!==t)&&(y={path:e.names,version:t,renames:ye(e)}),y.renames)}function he(e){let t=(0,L.statSync)(e.names,{throwIfNoEntry:!1});return t===void 0?"":`${t.ino} ${t.mtimeMs} ${t.size}`}function B(e,t,n){let r=t,o=!1;for(let{from:s,to:a,until:u}of e)s!==r||!(o||u===null||n<Date.parse(u))||(r=a,o=!0);return r}function ye(e){let t=D(e.names);return Array.isArray(t)?t.filter(Se):H}function Se(e){if(typeof e!="object"||e===null)return!1;let{from:t,to:n,at:r,until:o,done:s}=e;return[t,n].every(u=>typeof u=="string"&&c.test(u))&&typeof r=="string"&&(o===null||typeof o=="string")&&typeof s=="boolean"}function*F(e,t){let n=U(e);for(let r of M(e.history)){if(t!==void 0&&!r.includes(t))continue;let o=we(r);o&&(yield n.length===0?o:Ne(n,o))}}function we(e){try{let t=JSON.parse(e);return xe(t)?t:void 0}catch{return}}function b(e){return e.event==="sent"&&[e.id,e.from,e.to,e.preview].every(t=>typeof t=="string")}var Ee=["from","to","by","name"];function Ne(e,t){if(t.event==="renamed")return t;let n=b(t)?x(t.id):Date.parse(t.at),r=Ee.flatMap(o=>{let s=t[o];return typeof s=="string"?[[o,B(e,s,n)]]:[]});return{...t,...Object.fromEntries(r)}}function xe(e){return typeof e=="object"&&e!==null&&"event"in e&&typeof e.event=="string"&&"at"in e}var O=require("fs");var $t=process.env.AGENT_CHAT_FAULT;var G=require("fs");function j(e){return typeof e!="object"||e===null||!("pid"in e)||!("started"in e)?!1:typeof e.pid=="number"&&typeof e.started=="string"}function K(e){let t=be(e);if(t===void 0)return{};let n=Oe(t);if(n)return n;throw new d("REGISTRY_BROKEN",`${e.sessions} cannot be read as a registry`,{hint:"agent-chat doctor keeps it aside under another name; then each session joins again"})}function be(e){return p(["ENOENT"],()=>(0,O.readFileSync)(e.sessions,"utf8"))}function Oe(e){let t;try{t=JSON.parse(e)}catch{return}if(typeof t!="object"||t===null||Array.isArray(t))return;let n={};for(let[r,o]of Object.entries(t)){let s=c.test(r)?$e(r,o):void 0;if(!s)return;n[r]=s}return n}function $e(e,t){if(typeof t!="object"||t===null||Array.isArray(t))return;let{watch:n,prompt:r,...o}={...t};return{...o,name:e,pane:g(o.pane),tmux_socket:g(o.tmux_socket),joined_at:g(o.joined_at)??"1970-01-01T00:00:00.000Z",agent:ke(o.agent),native:o.native===!0,doorbell:g(o.doorbell)??"auto",cwd:g(o.cwd)??"",...n===!1?{watch:n}:{},...typeof r=="string"?{prompt:r}:{}}}function g(e){return typeof e=="string"&&e!==""?e:null}function ke(e){return!j(e)||!Number.isSafeInteger(e.pid)||e.pid<=1?null:{pid:e.pid,started:e.started}}var $="\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\p{DI}",W="\\p{ExtPict}(?:\\ufe0e|\\p{EMod}?\\ufe0f?)",Te="Arab Syrc Nkoo Mand Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(" ").map(e=>`\\p{scx=${e}}`).join(""),Re=["\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}",`${W}(?:\\u200d${W})*`,"[0-9#*]\\ufe0f\\u20e3",`(?<=(?=[\\p{L}\\p{M}])(?!\\p{DI})[${Te}])[\\u200c\\u200d]`,"(?<=(?=\\p{L})\\p{sc=Mong})[\\u180b-\\u180f]"],z={hidden:k(`[${$}]`,"u"),odd:k(`(${Re.join("|")})|[${$}]`,"gu"),seen:k(`[^${$}\\s]`,"u")};function Pe(e){return/^[\n\t -~]*$/.test(e)||!z.hidden().test(e)?e:e.replace(/\r(?=\n|$)/g,"").replace(z.odd(),(t,n)=>{if(n!==void 0)return n;let r=t.codePointAt(0)??0;return r<32?`^${String.fromCharCode(r+64)}`:r===127?"^?":`<U+${r.toString(16).toUpperCase().padStart(4,"0")}>`})}function Y(e){return Pe(e.replaceAll(/(?:\r?\n|\t)+/g," "))}function k(e,t){let n;return()=>(n??=new RegExp(e,t),n)}var J=["names","sessions","ids","tasks"],_e=50,Ae=2e3;function Z(e,t){return t==="ids"||t==="tasks"?Ie(e,t):[...Object.keys(K(e)).sort(),...t==="names"?[N]:[]]}function Ie(e,t){let n=[],r=0;for(let o of F(e)){if(r+=1,r>Ae||n.length===_e)break;!b(o)||v(`${o.id}.md`)===void 0||t==="tasks"&&(o.kind!=="task"||!(0,V.existsSync)(e.openTask(o.id)))||n.push(`${o.id}	${ve(o)}`)}return n}function ve({from:e,to:t,kind:n,subject:r,preview:o}){return Y(`@${e} \u2192 @${t} ${n}: ${r??o}`).slice(0,80)}function Me(e,t){_(e,"completion",`agent-chat setup --completion
eval "$(agent-chat completion bash)"`).addArgument(e.createArgument("[shell]","whose script").choices(w)).addOption(e.createOption("--words <kind>","what the scripts of an older version ask for").choices(J).hideHelp()).action((n,{words:r,json:o})=>{if(r!==void 0)return t.print(Z(t.bus().home,r).map(a=>`${a}
`).join(""));let s=Ce(n);t.print(o?`${JSON.stringify({shell:n,script:s})}
`:s)})}function Ce(e){if(e!==void 0)return A[e];throw new d("USAGE",`which shell: ${w.join(", ")}?`,{hint:"agent-chat setup --completion installs it where your shell looks for it"})}0&&(module.exports={completionCommand});
