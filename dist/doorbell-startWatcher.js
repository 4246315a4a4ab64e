"use strict";var k=Object.defineProperty;var q=Object.getOwnPropertyDescriptor;var X=Object.getOwnPropertyNames;var Q=Object.prototype.hasOwnProperty;var ee=(e,n)=>{for(var r in n)k(e,r,{get:n[r],enumerable:!0})},ne=(e,n,r,t)=>{if(n&&typeof n=="object"||typeof n=="function")for(let s of X(n))!Q.call(e,s)&&s!==r&&k(e,s,{get:()=>n[s],enumerable:!(t=q(n,s))||t.enumerable});return e};var re=e=>ne(k({},"__esModule",{value:!0}),e);var Pe={};ee(Pe,{spawnWatcher:()=>z,startAgain:()=>xe});module.exports=re(Pe);var N=require("fs");var A=require("fs");var c=class extends Error{code;hint;lines;constructor(n,r,t){super(r,{cause:t.cause}),this.code=n,this.hint=t.hint,this.lines=t.lines??[]}};var x=/^[a-z][a-z0-9-]{0,31}$/;function i(e,...n){return e instanceof Error&&"code"in e&&typeof e.code=="string"&&n.includes(e.code)}function f(e,n){try{return n()}catch(r){if(i(r,...e))return;throw r}}var Me=process.env.AGENT_CHAT_FAULT;var o=require("fs"),P=require("path");function O(e,n,r=()=>!0){let t=`${e}.${process.pid}.tmp`,s=!1;try{(0,o.writeFileSync)(t,n,{mode:384}),r()&&((0,o.renameSync)(t,e),s=!0)}finally{s||u(t)}return s}function u(e){f(["ENOENT"],()=>(0,o.unlinkSync)(e))}function h(e){return(0,o.lstatSync)(e,{throwIfNoEntry:!1})!==void 0}function B(e){return i(e,"EPERM","ENOTSUP","EOPNOTSUPP","ENOSYS","EXDEV","EMLINK")}function m(e){if(!(0,o.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())try{L(e)}catch(n){if(!i(n,"ENOENT")||(0,P.dirname)(e)===e)throw n;m((0,P.dirname)(e)),L(e)}}function L(e){try{(0,o.mkdirSync)(e,{mode:448})}catch(n){if(!(0,o.statSync)(e,{throwIfNoEntry:!1})?.isDirectory())throw n}}var b=require("fs");function l(e){return typeof e!="object"||e===null||!("pid"in e)||!("started"in e)?!1:typeof e.pid=="number"&&typeof e.started=="string"}function R(e,n){return e?.pid===n?.pid&&e?.started===n?.started}var T=require("fs");var Ve=64*1024;var oe=require("fs");var y=require("fs");function w(e){if((0,y.statSync)(e,{throwIfNoEntry:!1})!==void 0)try{return JSON.parse((0,y.readFileSync)(e,"utf8"))}catch(n){if(i(n,"ENOENT"))return;if(n instanceof SyntaxError)return null;throw n}}function v(e){let n=se(e);if(n===void 0)return{};let r=ie(n);if(r)return r;throw new c("REGISTRY_BROKEN",`${e.sessions} cannot be read as a registry`,{hint:"run: agent-chat doctor; it moves the file aside, and each session can then join again"})}function se(e){return f(["ENOENT"],()=>(0,A.readFileSync)(e.sessions,"utf8"))}function ie(e){let n;try{n=JSON.parse(e)}catch{return}if(typeof n!="object"||n===null||Array.isArray(n))return;let r={};for(let[t,s]of Object.entries(n)){let a=x.test(t)?ae(t,s):void 0;if(!a)return;r[t]=a}return r}function ae(e,n){if(typeof n!="object"||n===null||Array.isArray(n))return;let r={...n},t={...r,name:e,pane:p(r.pane),tmux_socket:p(r.tmux_socket),joined_at:p(r.joined_at)??"1970-01-01T00:00:00.000Z",agent:ue(r.agent),native:r.native===!0,doorbell:p(r.doorbell)??"auto",cwd:p(r.cwd)??""};return r.watch!==!1&&delete t.watch,typeof r.prompt!="string"&&delete t.prompt,typeof r.program!="string"&&delete t.program,typeof r.server!="string"&&delete t.server,t}function p(e){return typeof e=="string"&&e!==""?e:null}function ue(e){return!l(e)||!Number.isSafeInteger(e.pid)||e.pid<=1?null:{pid:e.pid,started:e.started}}var I=require("fs"),C=require("path");function E(e){if(h(e))try{let[n="",r=""]=(0,I.readFileSync)(e,"utf8").split(`
`);return/^\d{1,10}$/.test(n)&&r!==""?{pid:Number(n),started:r}:void 0}catch(n){if(i(n,"ENOENT"))return;throw n}}function _(e,{pid:n,started:r},t=""){m((0,C.dirname)(e)),O(e,`${n}
${r}
${t}`)}var g=require("fs");function W(e,n){let r=n.self();for(;;){if(U(e,r))return()=>de(e,r);let t=S(e);if(t==="gone")continue;if($(t,n))return t;let s=fe(e,n);if(s)return s}}function F(e){let n=S(e);return n==="gone"?void 0:n}function S(e){let n=w(e);return n===void 0?"gone":l(n)?n:void 0}function $(e,n){return e!==void 0&&n.isAlive(e)}function de(e,n){R(F(e),n)&&u(e)}function U(e,n){let r=`${e}.${n.pid}.tmp`;h(r)&&u(r);try{return(0,g.writeFileSync)(r,JSON.stringify(n),{flag:"wx",mode:384}),(0,g.linkSync)(r,e),!0}catch(t){if(i(t,"EEXIST"))return!1;if(!B(t))throw t;return ce(e,n)}finally{u(r)}}function ce(e,n){try{(0,g.writeFileSync)(e,JSON.stringify(n),{flag:"wx",mode:384})}catch(r){if(i(r,"EEXIST"))return!1;throw u(e),r}return R(F(e),n)}function fe(e,n){let r=`${e}.stale`;if(!U(r,n.self())){let t=S(r);if(t==="gone")return;if($(t,n))return t;u(r);return}try{let t=S(e);t!=="gone"&&!$(t,n)&&u(e)}finally{u(r)}}function M(e){let{doorbell:n,pane:r,watch:t,server:s}=e;return(r!==null||s!==void 0)&&t!==!1&&(n==="auto"||n==="tmux")}function G(e,n){return K(e,e.home.pid(n))}function j(e){return K(e,e.home.watcherPid)}function H(e){let{isAlive:n}=e.processes;return j(e)===void 0&&Object.values(v(e.home)).some(r=>M(r)&&(r.agent===null||n(r.agent))&&G(e,r.name)===void 0)}function K({processes:e},n){let r=E(n);return r&&e.isAlive(r)?r:void 0}var le=3,pe=6e4,ge=1e4;function J(e,n){if(!H(e))return!0;m(e.home.pids);let r=W(e.home.watcherLock,e.processes);if(typeof r!="function")return!0;try{return!H(e)||he(e,n)}finally{r()}}function he(e,n){let r=ye(e);if(r.count>=le&&r.ago<ge)return!1;let t=n(),s=t===void 0?void 0:e.processes.find(t);if(!s)return!1;let a=r.ago<pe?r.count+1:1;return _(e.home.watcherPid,s,`${a}
`),!0}function ye({home:e,clock:n}){let r=(0,N.statSync)(e.watcherPid,{throwIfNoEntry:!1});return r===void 0||E(e.watcherPid)===void 0?{count:0,ago:Number.POSITIVE_INFINITY}:{count:Number((0,N.readFileSync)(e.watcherPid,"utf8").split(`
`)[2])||0,ago:Math.abs(n.now()-r.mtimeMs)}}var we=require("fs"),Ee=require("path");function V(e,n,r){let[t,...s]=e,a=Se().spawn(t,s,{detached:!0,stdio:"ignore",env:n,cwd:r});return a.on("error",()=>{}),a.unref(),a.pid}function Se(){return process.getBuiltinModule("node:child_process")}var d=require("fs");var mr=d.constants.O_WRONLY|d.constants.O_NOCTTY|d.constants.O_NONBLOCK;var Ne=`
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
