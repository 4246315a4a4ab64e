"use strict";var N=Object.defineProperty;var q=Object.getOwnPropertyDescriptor;var X=Object.getOwnPropertyNames;var Q=Object.prototype.hasOwnProperty;var ee=(e,n)=>{for(var r in n)N(e,r,{get:n[r],enumerable:!0})},ne=(e,n,r,t)=>{if(n&&typeof n=="object"||typeof n=="function")for(let s of X(n))!Q.call(e,s)&&s!==r&&N(e,s,{get:()=>n[s],enumerable:!(t=q(n,s))||t.enumerable});return e};var re=e=>ne(N({},"__esModule",{value:!0}),e);var Pe={};ee(Pe,{spawnWatcher:()=>z,startAgain:()=>xe});module.exports=re(Pe);var S=require("fs");var T=require("fs");var c=class extends Error{code;hint;lines;constructor(n,r,t){super(r,{cause:t.cause}),this.code=n,this.hint=t.hint,this.lines=t.lines??[]}};var k=/^[a-z][a-z0-9-]{0,31}$/;function i(e,...n){return e instanceof Error&&"code"in e&&typeof e.code=="string"&&n.includes(e.code)}function f(e,n){try{return n()}catch(r){if(i(r,...e))return;throw r}}var Me=process.env.AGENT_CHAT_FAULT;var o=require("fs"),x=require("path");function P(e,n,r=()=>!0){let t=`${e}.${process.pid}.tmp`,s=!1;try{(0,o.writeFileSync)(t,n,{mode:384}),r()&&((0,o.renameSync)(t,e),s=!0)}finally{s||u(t)}return s}function u(e){f(["ENOENT"],()=>(0,o.unlinkSync)(e))}function m(e){return(0,o.lstatSync)(e,{throwIfNoEntry:!1})!==void 0}function L(e){return i(e,"EPERM","ENOTSUP","EOPNOTSUPP","ENOSYS","EXDEV","EMLINK")}function l(e){if(!(0,o.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())try{H(e)}catch(n){if(!i(n,"ENOENT")||(0,x.dirname)(e)===e)throw n;l((0,x.dirname)(e)),H(e)}}function H(e){try{(0,o.mkdirSync)(e,{mode:448})}catch(n){if(!(0,o.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())throw n}}var O=require("fs");function p(e){return typeof e!="object"||e===null||!("pid"in e)||!("started"in e)?!1:typeof e.pid=="number"&&typeof e.started=="string"}function b(e,n){return e?.pid===n?.pid&&e?.started===n?.started}var R=require("fs");var Ve=64*1024;var oe=require("fs");var D=require("fs");function y(e){if(m(e))try{return JSON.parse((0,D.readFileSync)(e,"utf8"))}catch(n){if(i(n,"ENOENT"))return;if(n instanceof SyntaxError)return null;throw n}}function A(e){let n=se(e);if(n===void 0)return{};let r=ie(n);if(r)return r;throw new c("REGISTRY_BROKEN",`${e.sessions} cannot be read as a registry`,{hint:"run: agent-chat doctor; it moves the file aside, and each session can then join again"})}function se(e){return f(["ENOENT"],()=>(0,T.readFileSync)(e.sessions,"utf8"))}function ie(e){let n;try{n=JSON.parse(e)}catch{return}if(typeof n!="object"||n===null||Array.isArray(n))return;let r={};for(let[t,s]of Object.entries(n)){let a=k.test(t)?ae(t,s):void 0;if(!a)return;r[t]=a}return r}function ae(e,n){if(typeof n!="object"||n===null||Array.isArray(n))return;let r={...n},t={...r,name:e,pane:g(r.pane),tmux_socket:g(r.tmux_socket),joined_at:g(r.joined_at)??"1970-01-01T00:00:00.000Z",agent:ue(r.agent),native:r.native===!0,doorbell:g(r.doorbell)??"auto",cwd:g(r.cwd)??""};return r.watch!==!1&&delete t.watch,typeof r.prompt!="string"&&delete t.prompt,typeof r.program!="string"&&delete t.program,typeof r.server!="string"&&delete t.server,t}function g(e){return typeof e=="string"&&e!==""?e:null}function ue(e){return!p(e)||!Number.isSafeInteger(e.pid)||e.pid<=1?null:{pid:e.pid,started:e.started}}var v=require("fs"),C=require("path");function w(e){if(m(e))try{let[n="",r=""]=(0,v.readFileSync)(e,"utf8").split(`
`);return/^\d{1,10}$/.test(n)&&r!==""?{pid:Number(n),started:r}:void 0}catch(n){if(i(n,"ENOENT"))return;throw n}}function I(e,{pid:n,started:r},t=""){l((0,C.dirname)(e)),P(e,`${n}
${r}
${t}`)}var h=require("fs");function W(e,n){let r=n.self();for(;;){if(U(e,r))return()=>de(e,r);let t=E(e);if(t==="gone")continue;if(_(t,n))return t;let s=fe(e,n);if(s)return s}}function F(e){let n=E(e);return n==="gone"?void 0:n}function E(e){let n=y(e);return n===void 0?"gone":p(n)?n:void 0}function _(e,n){return e!==void 0&&n.isAlive(e)}function de(e,n){b(F(e),n)&&u(e)}function U(e,n){let r=`${e}.${n.pid}.tmp`;m(r)&&u(r);try{return(0,h.writeFileSync)(r,JSON.stringify(n),{flag:"wx",mode:384}),(0,h.linkSync)(r,e),!0}catch(t){if(i(t,"EEXIST"))return!1;if(!L(t))throw t;return ce(e,n)}finally{u(r)}}function ce(e,n){try{(0,h.writeFileSync)(e,JSON.stringify(n),{flag:"wx",mode:384})}catch(r){if(i(r,"EEXIST"))return!1;throw u(e),r}return b(F(e),n)}function fe(e,n){let r=`${e}.stale`;if(!U(r,n.self())){let t=E(r);if(t==="gone")return;if(_(t,n))return t;u(r);return}try{let t=E(e);t!=="gone"&&!_(t,n)&&u(e)}finally{u(r)}}function $(e){let{doorbell:n,pane:r,watch:t,server:s}=e;return(r!==null||s!==void 0)&&t!==!1&&(n==="auto"||n==="tmux")}function G(e,n){return K(e,e.home.pid(n))}function j(e){return K(e,e.home.watcherPid)}function M(e){let{isAlive:n}=e.processes;return j(e)===void 0&&Object.values(A(e.home)).some(r=>$(r)&&(r.agent===null||n(r.agent))&&G(e,r.name)===void 0)}function K({processes:e},n){let r=w(n);return r&&e.isAlive(r)?r:void 0}var le=3,pe=6e4,ge=1e4;function J(e,n){if(!M(e))return!0;l(e.home.pids);let r=W(e.home.watcherLock,e.processes);if(typeof r!="function")return!0;try{return!M(e)||he(e,n)}finally{r()}}function he(e,n){let r=ye(e);if(r.count>=le&&r.ago<ge)return!1;let t=n(),s=t===void 0?void 0:e.processes.find(t);if(!s)return!1;let a=r.ago<pe?r.count+1:1;return I(e.home.watcherPid,s,`${a}
`),!0}function ye({home:e,clock:n}){let r=(0,S.statSync)(e.watcherPid,{throwIfNoEntry:!1});return r===void 0||w(e.watcherPid)===void 0?{count:0,ago:Number.POSITIVE_INFINITY}:{count:Number((0,S.readFileSync)(e.watcherPid,"utf8").split(`
`)[2])||0,ago:Math.abs(n.now()-r.mtimeMs)}}var we=require("fs"),Ee=require("path");function V(e,n,r){let[t,...s]=e,a=Se().spawn(t,s,{detached:!0,stdio:"ignore",env:n,cwd:r});return a.on("error",()=>{}),a.unref(),a.pid}function Se(){return process.getBuiltinModule("node:child_process")}var d=require("fs");var lr=d.constants.O_WRONLY|d.constants.O_NOCTTY|d.constants.O_NONBLOCK;var Ne=`
set -f
PATH=$PATH:/bin:/usr/bin
woken=0 nap= round=0
trap 'woken=1; [ -z "$nap" ] || kill "$nap" 2>/dev/null' URG
trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; exit' TERM
while :; do
  woken=0
  after=$("$1" "$2" watch @all --rest-of $$) || exit
  [ -n "$after" ] || exit 0
  while [ $woken = 0 ]; do
    sleep 5 & nap=$!
    [ $woken = 1 ] || wait $nap || [ $woken = 1 ] || exit
    kill $nap 2>/dev/null
    nap=
    round=$(( (round + 1) % 6 ))
    for one in $after; do
      case $one in
        /proc/*) read -r stat 2>/dev/null < "$one/stat" || stat=
          case \${stat##*) } in '' | [ZX]*) woken=1 ;; esac ;;
        /*) [ -e "$one" ] || woken=1 ;;
        [0-9]*) kill -0 "$one" 2>/dev/null || woken=1 ;;
        *) [ $round = 0 ] || continue
          for path in "$3/inbox/$one" "$3/state/$one.rings.json"; do
            [ "$path" -nt "$3/pids/@watcher.rest" ] && woken=1
          done ;;
      esac
    done
    [ -e "$3/pids/@watcher.rest" ] || woken=1
  done
done
`,ke=["AGENT_CHAT_DOORBELL","AGENT_CHAT_FAULT","AGENT_CHAT_NAME","AGENT_CHAT_PROMPT"];function Y({node:e,script:n},r,{root:t}){let s=Object.fromEntries(Object.entries(r).filter(([Z])=>!ke.includes(Z)));return V(["/bin/sh","-c",Ne,"agent-chat",e,n,t],{...s,AGENT_CHAT_HOME:t},t)}function z({self:e,env:n,bus:r}){return Y(e,n,r().home)}function xe(e){J(e.bus(),()=>z(e))}0&&(module.exports={spawnWatcher,startAgain});
