// swift-format-ignore-file
// Written by Scripts/embed-inspector from Inspector/; change it there.

extension InspectorPage {
  /// The content security policy: the page's own script and style by their hashes, and requests to its own server.
  static let policy = "default-src 'none'; script-src 'sha256-mdSa0BB8FtTP7wwBzn6UihTI17/BfK/mbTL71EcD0Uo='; style-src 'sha256-2qkysCN8NgkRApI4J8xE1ozj8M5JW+TuF8oeR62/P+A='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

  /// The page up to where a report inserts its session.
  static let head = ##"""
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-mdSa0BB8FtTP7wwBzn6UihTI17/BfK/mbTL71EcD0Uo='; style-src 'sha256-2qkysCN8NgkRApI4J8xE1ozj8M5JW+TuF8oeR62/P+A='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tracking inspector</title><link rel="icon" href="data:,"><style>:root{--paper:#fff;--raised:#f6f7f9;--ink:#1b1f27;--soft:#566070;--line:#dfe3e9;--hover:#eef1f6;--accent:#3d4fd1;--active:#e4e8ff;--bad:#b3261e;--bad-paper:#fdeceb;--odd:#855300;--odd-paper:#fdf3df;--good:#1c6b3c;--good-paper:#e5f4ea;--mono:ui-monospace,Menlo,Consolas,monospace;color-scheme:light dark}@media (prefers-color-scheme:dark){:root{--paper:#14171d;--raised:#1b1f27;--ink:#e6e9ef;--soft:#9aa4b5;--line:#2d333e;--hover:#20252f;--accent:#98a6ff;--active:#2a3160;--bad:#ff9d94;--bad-paper:#40201f;--odd:#f0c064;--odd-paper:#392d14;--good:#7fd6a0;--good-paper:#173323}}*{box-sizing:border-box}html,body{height:100%;margin:0}body{display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,sans-serif}[hidden]{display:none !important}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}#filter,button,.card,pre,kbd,code,dialog{border:1px solid var(--line);border-radius:7px;background:var(--paper);color:inherit}button{padding:4px 10px;font:inherit;font-size:13px;cursor:pointer}button[aria-pressed=true],#newer{border-color:var(--accent);background:var(--active)}button.quiet{padding:0 4px;border-color:transparent;background:none;color:var(--accent);font-size:12px}.card pre .quiet{padding:0}pre,kbd,code,#filter,.row>:not(.name,.marks),.location,.tree,dd{font:12px/1.5 var(--mono)}.hint,.row>:not(.name,.marks),.location,.facts,.tree summary,#status,#count,#empty,h3,dt,dialog dd{color:var(--soft)}.hint,.facts,h3,#status,#count,#problem{font-size:12px}header{display:grid;grid-template:auto auto / minmax(160px,auto) minmax(240px,1fr) auto;gap:2px 16px;align-items:center;padding:10px 14px 8px;background:var(--raised);border-bottom:1px solid var(--line)}h1{display:flex;gap:8px;align-items:center;min-width:0;max-width:30vw;margin:0;font-size:15px}#title{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}#status{grid-area:2 / 1;margin-left:18px}.dot{flex:none;width:10px;height:10px;border-radius:50%;background:var(--accent)}.dot[data-state=live]{background:#21a45a}.dot[data-state=ended]{background:#d04437}#search{grid-area:1 / 2;display:flex;align-items:center;position:relative}#filter{flex:1;min-width:0;padding:6px 110px 6px 10px}#filter::placeholder{color:var(--soft)}#count{position:absolute;right:10px}#problem{position:absolute;top:100%;left:10px;z-index:3;padding:0 6px}#problem,#banner,.mark.odd{background:var(--odd-paper);color:var(--odd)}#chips{grid-area:2 / 2 / 2 / 4;margin-top:4px}.tools,#chips{display:flex;flex-wrap:wrap;gap:6px}#chips button{padding:1px 10px;border-radius:99px;font-size:12px}#banner{position:fixed;inset:auto 14px 48px;z-index:4;width:fit-content;margin:auto;padding:6px 14px;border:1px solid;border-radius:7px}#tests{flex:none;max-height:30vh;overflow:auto;padding:5px 14px;border-bottom:1px solid var(--line)}#tests [aria-current=true]{font-weight:700}#tests :is(.mark,summary button){margin-left:6px}#waits{flex:none;max-height:46vh;overflow:auto;padding:6px 14px;border-bottom:1px solid var(--line);background:var(--raised)}.card{margin:3px 0;padding:5px 10px}.card pre{max-height:none;margin:6px 0 2px}.card :is(del,ins){display:inline-block;min-width:100%;padding:0}.card .check{margin:0 10px 0 8px}main{flex:1;display:grid;grid-template-columns:minmax(0,1fr) minmax(300px,38%);min-height:0}#timeline{position:relative;min-width:0;border-right:1px solid var(--line)}#grid{position:absolute;inset:0;overflow:auto;overflow-anchor:none}.head{position:sticky;top:0;z-index:2;background:var(--paper)}.row{display:grid;grid-template-columns:var(--columns);gap:12px;align-items:center;height:28px;padding:0 12px 0 10px;border-left:4px solid transparent;white-space:nowrap}.row>*{overflow:hidden;text-overflow:ellipsis}:is(.at,.clock,.delta){text-align:right}[role=columnheader]{position:relative}.grip{position:absolute;inset:0 0 0 auto;width:9px;cursor:col-resize;border-right:2px solid var(--line);touch-action:none}.head .row{border-bottom:1px solid var(--line)}.head .row>*{padding-right:6px;font:11px/2.5 system-ui,sans-serif;color:var(--soft)}#rows{position:relative;contain:strict}#rows .row{position:absolute;inset:0 0 auto;contain:strict;border-bottom:1px solid var(--hover);cursor:default}#rows .row:hover,button:hover{background:var(--hover)}#rows .row[aria-selected=true]{background:var(--active)}#rows .row.active{border-left-color:var(--accent)}#rows .row[data-severity=bad]{border-left-color:var(--bad)}.row[aria-selected=true]>:not(.marks){color:var(--ink)}[data-kind=request] .name{color:var(--accent);font-weight:500}[data-kind=note]{background:var(--raised)}#rows [data-kind=note] .name{grid-column:name / -1 !important}[data-kind=note] .name ~ *{display:none}.marks{display:flex;gap:4px;justify-content:flex-end}.mark{padding:0 6px;border-radius:99px;background:var(--hover);font-size:11px;line-height:17px;white-space:nowrap}.mark.diff,.mark.open{background:var(--active);box-shadow:inset 0 0 0 1px var(--accent)}#names{overflow:auto;padding:8px 14px;border-right:1px solid var(--line)}table{width:100%;border-collapse:collapse;font-size:13px}caption{padding:2px 0 6px;text-align:left}:is(th,td){padding:3px 12px 3px 0;border-bottom:1px solid var(--hover);text-align:left;font-weight:400;vertical-align:top;overflow-wrap:break-word}thead th,td:nth-child(-n + 5){white-space:nowrap}th[scope=col],caption{color:var(--soft);font-size:12px}tbody th button.quiet{padding:0;font:inherit;text-align:left}#newer{position:absolute;bottom:14px;left:50%;transform:translateX(-50%);border-radius:99px}#empty{position:absolute;inset:60px 14px 14px;overflow:auto;text-align:center}#empty p{margin:6px;overflow-wrap:anywhere}#empty code{border:0;background:var(--raised)}p{margin:0}img{max-width:100%;max-height:40vh;background:var(--raised)}#detail{overflow:auto;padding:12px 16px 24px}h2{margin:0;font-size:16px;overflow-wrap:anywhere}h3{margin:18px 0 4px;font-weight:600}summary{cursor:pointer}.facts{display:flex;flex-wrap:wrap;gap:4px 6px;margin:2px 0 10px}p.problem{margin:8px 0;padding:6px 10px;border-left:3px solid var(--bad);background:var(--bad-paper)}pre{margin:8px 0;padding:8px 10px;background:var(--raised);overflow:auto;max-height:30vh}pre,p.problem{white-space:pre-wrap;overflow-wrap:anywhere}.tree{margin:0;padding:0 0 0 14px;list-style:none;overflow-wrap:anywhere}section>.tree{padding-left:0}.tree button.quiet{opacity:0}li:hover>button.quiet,.tree button.quiet:focus-visible,#tests .quiet{opacity:1}.name,.key{color:var(--ink);font-weight:600}.key::after{content:":";color:var(--soft);font-weight:400}.string{color:var(--good)}.number{color:var(--accent)}.boolean,.null,.object{color:var(--odd)}del,ins{padding:0 3px;border-radius:3px;text-decoration:none}del,.mark.bad{background:var(--bad-paper);color:var(--bad)}ins,.mark.good{background:var(--good-paper);color:var(--good)}.pairs{display:grid;grid-template-columns:max-content 1fr;gap:1px 14px;font-size:12px}dd{margin:0;overflow-wrap:anywhere}dialog{max-width:min(860px,94vw);padding:18px 22px}dialog form{float:right}.columns{columns:2 320px}dl{margin:0}dialog dt{margin-top:6px;break-after:avoid;color:inherit}dialog dd{margin-left:12px;font:inherit}kbd,code{padding:1px 5px;border-radius:4px}@media (max-width:820px){header{grid-template:auto / 1fr auto}h1{max-width:none}#status{grid-area:auto;margin:0}.tools,#search,#chips{grid-area:auto / 1 / auto / 3}#waits{max-height:40vh}main{grid-template:55% 45% / 1fr}#timeline{border-right:0;border-bottom:1px solid var(--line)}.row{gap:8px}}@media print{html,body{height:auto}main{display:block}#timeline,#grid,.head{position:static;overflow:visible;border:0}#rows{height:auto !important;contain:none}#rows .row{position:static;transform:none !important;contain:none;break-inside:avoid}.tools,#chips,#search,#newer,#detail{display:none}#waits{max-height:none;overflow:visible}}</style></head><body><header><h1><span id="state" class="dot" aria-hidden="true"></span><span id="title">Tracking inspector</span></h1><p id="status"></p><form id="search" role="search"><input id="filter" autocomplete="off" autocapitalize="off" spellcheck="false" aria-label="Filter the timeline"
aria-describedby="problem" placeholder="Filter:  purchase total>100 -heartbeat is:bad"><span id="problem"></span><output id="count"></output></form><div class="tools" role="toolbar" aria-label="Session"><button id="follow" aria-pressed="true" title="f">Follow</button><button id="clear" aria-pressed="false" title="l">Clear</button><button id="view" aria-pressed="false" title="v">Names</button><button id="open">Open…</button><button id="compare">Compare…</button><button id="save">Save</button><button id="columns">Columns…</button><button id="help" aria-label="Help">?</button></div><nav id="chips" aria-label="Quick filters"></nav></header><div id="banner" role="status" hidden></div><section id="tests" aria-label="Tests" hidden></section><section id="waits" aria-label="Waits" hidden></section><main><section id="timeline" aria-label="Timeline"><div id="grid" role="grid" aria-label="Entries as they arrived" aria-multiselectable="true" tabindex="0"><div role="rowgroup" class="head"><div role="row" aria-rowindex="1" class="row"></div></div><div role="rowgroup" id="rows"></div></div><button id="newer" hidden></button><div id="empty" hidden></div></section><section id="names" aria-label="Events by name" tabindex="0" hidden></section><section id="detail" aria-label="Details of the entry" tabindex="0"></section></main><p id="live" class="unseen" aria-live="polite"></p><input id="file" type="file" accept=".json,application/json" hidden aria-label="Session file"><dialog id="widths" aria-label="Columns"><form method="dialog"><button aria-label="Close">✕</button></form><h2>Columns</h2></dialog><dialog id="about" aria-label="Keys and filters"><form method="dialog"><button aria-label="Close">✕</button></form><h2>Keys and filters</h2><dl class="columns"><dt><kbd>j</kbd> <kbd>k</kbd> <kbd>↓</kbd> <kbd>↑</kbd></dt><dd>next, previous entry; with Shift select it too</dd><dt><kbd>b</kbd> <kbd>n</kbd></dt><dd>next entry with a problem, next failure</dd><dt><kbd>x</kbd></dt><dd>select or deselect it</dd><dt><kbd>Enter</kbd> <kbd>Esc</kbd></dt><dd>to the details, back to the timeline</dd><dt><kbd>c</kbd></dt><dd>copy as a check</dd><dt><kbd>/</kbd></dt><dd>filter; <kbd>Esc</kbd> twice clears it</dd><dt><kbd>f</kbd> <kbd>?</kbd></dt><dd>follow what arrives; this page</dd><dt><kbd>m</kbd></dt><dd>count the time from here, or from the beginning again</dd><dt><kbd>l</kbd></dt><dd>clear the view, or show everything again</dd><dt><kbd>v</kbd></dt><dd>events by name, and the plan</dd><dt><code>purchase "Desk lamp"</code></dt><dd>contains both, in any case</dd><dt><code>-heartbeat</code></dt><dd>does not contain it; a minus negates any term</dd><dt><code>total>100 items.0.id=42</code></dt><dd>params by number or text: <code>= != &lt; &lt;= > >=</code>, or <code>key:part</code></dd><dt><code>name:cart</code> <code>from:segment</code></dt><dd>part of the name, of the vendor or launch</dd><dt><code>status>=400 method:post</code></dt><dd>requests</dd><dt><code>is:bad</code></dt><dd>has a problem; others are <span id="kinds"></span></dd><dt><code>#42</code></dt><dd>the entry of this number</dd><dt><code>a | b</code></dt><dd>either one</dd></dl></dialog>
"""##

  /// The rest of the page: its script.
  static let tail = ##"""
<script>"use strict";
const $=(id)=>document.getElementById(id);
function make(name,...parts){
const[tag,...classes]=name.split(".");
const element=document.createElement(tag);
element.className=classes.join(" ");
const properties=parts[0]?.constructor===Object?parts.shift():{};
for(const[name,value]of Object.entries(properties)){
if(name in element&&!name.includes("-"))element[name]=value;
else element.setAttribute(name,value);
}
element.append(...parts.filter(Boolean));
return element;
}
const quiet=(text,onclick,properties)=>make("button.quiet",{onclick,...properties},text);
const invisible = /(?![\t\n\r\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const codePoint=(character,length=4)=>character.codePointAt(0).toString(16).toUpperCase().padStart(length,"0");
function visible(text,length=2000){
let shown=text.length>length?text.slice(0,length):text;
shown = shown.replace(invisible, (character) => `⟨U+${codePoint(character)}⟩`);
return text.length > length ? `${shown}… (${grouped(text.length)} characters)` : shown;
}
const oneLine = (text, length = 160) => visible(text, length).replace(/\r\n|[\n\r]/g, "⏎").replace(/\t/g, "⇥");
function parseExactly(text){
if (!/\d{16}/.test(text)) return JSON.parse(text);
return JSON.parse(text,(_,value,context)=>
typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
?BigInt(context.source):value);
}
const raw=(_,value)=>
typeof value!=="bigint"?value:JSON.rawJSON?JSON.rawJSON(String(value)):String(value);
const json=(value,indent)=>JSON.stringify(value,raw,indent);
const isContainer=(value)=>value!==null&&typeof value==="object";
const plain=(value)=>(typeof value==="string"?value:json(value));
function summary(params,length=260){
let text="";
for(const[key,value]of Object.entries(params)){
if (text.length > length) return `${text}, …`;
const shown = Array.isArray(value) ? `[${value.length}]`
: isContainer(value) ? `{${Object.keys(value).length}}` : oneLine(plain(value), 60);
text += `${text ? ", " : ""}${oneLine(key, 40)}=${shown}`;
}
return text;
}
function time(milliseconds){
const seconds = milliseconds / 1000;
if(seconds<60)return seconds.toFixed(3);
return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, "0")}`;
}
const signed = (milliseconds) => `${milliseconds < 0 ? "−" : "+"}${time(Math.abs(milliseconds))}`;
const grouped=(number)=>number.toLocaleString("en");
const count = (number, noun) => `${grouped(number)} ${number === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;
function leaves(value,path="",into=new Map()){
if(isContainer(value)&&Object.keys(value).length){
for (const [key, child] of Object.entries(value)) leaves(child, path ? `${path}.${key}` : key, into);
}else if(path){
into.set(path,value);
}
return into;
}
function differences(before,after){
const[old,now]=[leaves(before),leaves(after)];
const paths=[...new Set([...old.keys(),...now.keys()])];
return paths.filter((path)=>!old.has(path)||!now.has(path)||json(old.get(path))!==json(now.get(path)))
.map((path)=>({path,before:old.get(path),after:now.get(path)}));
}
function isVolatile(value){
if(typeof value==="number")return value>1.4e9&&value<2.2e9||value>1.4e12&&value<2.2e12;
if(typeof value!=="string")return false;
return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) || /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)
|| /^(?=.*\d)(?=.*[a-z])[0-9a-z_-]{20,}$/i.test(value);
}
class Entry{
constructor(source,session){
const{kind,number=0,milliseconds:at=0}=source;
const params=source.params??{};
const name=Entry.name(source);
Object.assign(this,{source,kind,number,at,name,params,session,previous:session.lastByName.get(name),comparison:"",changes:[]});
}
static name(source){
const{kind,name,method,target,text}=source;
if (kind === "request") return `${method} ${target.split("?")[0]}`;
return kind==="rejection"?"rejected submission":name??text??kind;
}
get summary(){
const{source}=this;
switch(this.kind){
case "event":return summary(this.params);
case "request":{
const by = source.stub ? ` by ${source.stub}` : source.isUnmatched ? ", no stub" : "";
const query = source.target.includes("?") ? `?${source.target.split("?").slice(1).join("?")} ` : "";
return oneLine(`${query}→ ${source.status ?? "no response"}${by}`, 260);
}
case "rejection": return oneLine(`${source.status}: ${source.path ? `${source.path}: ` : ""}${source.reason}`, 260);
default:return "";
}
}
get text(){
const{name,params,kind,source}=this;
this.key??=[name,json(params),kind==="event"?"":this.summary,source.body,source.vendor].join(" ").slice(0,20000).toLowerCase();
return this.key;
}
get planned(){return this.session.planned(this.name);}
get mutants() { return own(own(this.session.mutants, `${this.kind}s`), this.name); }
get clock(){
const date=new Date(Date.parse(this.session.began)+ this.at);
return Number.isNaN(date.getTime()) ? "" : `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
get test(){return this.session.tests.find(({from,until})=>from<=this.number&&!(until<=this.number));}
get begun(){return this.number?undefined:this.session.tests.find(({name,from})=>name===this.name&&from===this.next);}
get from(){return[this.source.vendor,this.source.process,this.source.launch].filter(Boolean).join(" ");}
get isDuplicate(){
const{previous}=this;
return this.kind==="event"&&previous&&this.at - previous.at<500
&&this.from===previous.from&&json(this.params)===json(previous.params);
}
get marks(){return Entry.marks.filter(([,,holds])=>holds(this));}
get isBad(){return Entry.marks.some(([,severity,holds])=>severity==="bad"&&holds(this));}
is(word){return Boolean(Entry.words[word](this));}
}
Entry.marks=[
["violation","bad",({source})=>source.findings?.length],
["rejected","bad",({kind})=>kind==="rejection"],
["unmatched","bad",({source})=>source.isUnmatched],
["problem","bad",({source})=>source.problem],
["failure","bad",(entry)=>entry.session.failed?.has(entry)],
["failed","bad",({begun})=>begun?.hasFailed&&!begun.isRepeated],
["repeated","odd",({begun})=>begun?.isRepeated],
["here","diff",(entry)=>entry.session.zero===entry],
["nearest","diff",(entry)=>entry.session.nearest?.has(entry)],
["outside","odd",({number,session,test})=>number&&session.tests.some(({name})=>name)&&!test],
["fault","odd",({source})=>source.fault],
["leftover","odd",({source})=>source.isLeftover],
["unverified","odd",({source})=>source.isMatched===false],
["duplicate","odd",(entry)=>entry.isDuplicate],
["redelivered","odd",({source})=>source.redeliveries],
["refused","odd",({source})=>source.isAcknowledged===false],
...["added","missing","changed"].map((word)=>[word,"diff",({comparison})=>comparison===word]),
["verified","good",({source})=>source.isMatched],
];
Entry.words={
bad:(entry)=>entry.isBad,
event:({kind})=>kind==="event",
request:({kind})=>kind==="request",
note:({kind})=>kind==="note",
...Object.fromEntries(Entry.marks.map(([word,,holds])=>[word,holds])),
};
const badge = ([word, severity]) => make("span", { className: `mark ${severity}` }, word);
class Session{
static format="tracking-session";
static version=1;
static members={title:"",isServed:false,tests:[],failures:[],waits:[],lost:[],omittedEntries:0,plan:undefined,mutants:undefined,began:""};
constructor(){
Object.assign(this,Session.members,{entries:[],byNumber:new Map(),lastByName:new Map(),processes:new Set()});
}
static read(text){
let source;
try{
source=parseExactly(text);
}catch(error){
throw new Error(`It isn't JSON: ${error.message}`);
}
if(source?.format!==Session.format||!Array.isArray(source.entries)){
throw new Error(`It isn't a session.json: its "format" is not "${Session.format}".`);
}
if(source.version>Session.version){
throw new Error(`It has version ${source.version}, and this page reads version ${Session.version}: open it with a newer inspector.`);
}
const wrong=mismatch(source,Session.shape);
if (wrong) throw new Error(`It isn't a valid session.json: ${wrong}.`);
const session=new Session();
session.take(source);
return session;
}
take(source){
for(const part of source.entries??[]){
const known=this.byNumber.get(part.number);
if(known)[known.source,known.key]=[part];
else this.append(new Entry(part,this));
}
for(const[number,mark]of Object.entries(source.marks??{})){
Object.assign(this.byNumber.get(Number(number))?.source??{},mark);
}
if(source.title!==this.title)this.mutants=undefined;
for(const member of Object.keys(Session.members))this[member]=source[member]??this[member];
}
planned(name){
if(this.plan!==this.known?.plan)this.known={plan:this.plan,events:new Map(this.plan.events.map((event)=>[event.name,event]))};
return this.known?.events.get(name);
}
append(entry){
entry.place=this.entries.push(entry)- 1;
this.hasSources||=Boolean(entry.source.vendor||entry.source.launch);
if(entry.source.process)this.processes.add(entry.source.process);
if(entry.number)this.byNumber.set(this.last=entry.number,entry);
else entry.next=(this.last??0)+ 1;
this.lastByName.set(entry.name,entry);
}
get json(){
const{byNumber,lastByName,processes,known,failed,nearest,zero,hasSources,last,entries,tests,omittedEntries,...said}=this;
return json({format:Session.format,version:Session.version,...said,tests:tests.length?tests:undefined,omittedEntries:omittedEntries||undefined,
entries:entries.map(({source})=>source)},1);
}
}
const strings=(names)=>Object.fromEntries(names.split(" ").map((name)=>[name,"string"]));
const shape=(names)=>({
...strings(`kind! ${names} path at launch process vendor body stub problem fault nearestStub`),
number:"number",milliseconds:"number",bodySize:"number",params:{},context:{},
bodyBase64:"string",findings:[strings("message! path")],headers:[strings("name! value")],
response:{...strings("body bodyBase64"),bodySize:"number",milliseconds:"number",fields:[strings("name! value")]},
});
const subjects={"*":{
noticed:["string"],waits:[strings("line! words! assertion!")],suggestion:"string",params:{"*":{...strings("pinned! passing suggestion noticed"),planned:["string"]}},
}};
const shapes={__proto__:null,event:shape("name!"),request:shape("method! target!"),rejection:shape("reason!"),note:shape("name text")};
Session.shape={
title:"string",isServed:"boolean",began:"string",omittedEntries:"number",tests:[{name:"string","from!":"number",until:"number"}],failures:[strings("message! location")],
waits:[strings("check! location progress state nearestMiss")],lost:[{"count!":"number","numbers!":[["number"]]}],
plan:{...strings("name digest"),"events!":[{...strings("name! description owner deprecated swift"),params:[{...strings("name! swift! type"),cases:{}}]}]},
mutants:{tried:"number",noticed:"number",leftOut:"string",events:subjects,requests:subjects},
entries:[(entry)=>shapes[entry?.kind]??shapes.note],
};
function mismatch(value,shape,place=""){
if(typeof shape==="function")return mismatch(value,shape(value),place);
if (typeof shape === "string") return typeof value === shape ? "" : `${place} is ${value === undefined ? "missing" : `not a ${shape}`}`;
const isList=Array.isArray(shape);
if (!isContainer(value) || Array.isArray(value) !== isList) return `${place} is not an ${isList ? "array" : "object"}`;
const each=shape[isList?0:"*"];
for(const key of Object.keys(each?value:shape)){
const name=each?key:key.replace("!","");
if(!each&&value[name]==null&&name===key)continue;
const wrong = mismatch(value[name], each ?? shape[key], isList ? `${place}[${key}]` : place ? `${place}.${name}` : name);
if(wrong)return wrong;
}
return "";
}
class Filter{
constructor(text){
this.problem="";
this.alternatives=[[]];
for (const token of text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g) ?? []) {
if(token==="|")this.alternatives.push([]);
else this.alternatives.at(-1).push(this.term(token));
}
this.alternatives=this.alternatives.map((terms)=>terms.filter(Boolean)).filter((terms)=>terms.length);
this.isEmpty=this.alternatives.length===0;
}
matches(entry){
return this.isEmpty||this.alternatives.some((terms)=>terms.every((holds)=>holds(entry)));
}
term(token){
if (token.length > 1 && token.startsWith("-") && !/^-\d/.test(token)) {
const holds=this.term(token.slice(1));
return holds&&((entry)=>!holds(entry));
}
if (/^#\d+$/.test(token)) return (entry) => entry.number === Number(token.slice(1));
const parts = /^([^\s":=<>!]+)(:|!=|<=|>=|=|<|>)(.*)$/s.exec(token);
if(!parts){
const needle=unquoted(token).toLowerCase();
return(entry)=>entry.text.includes(needle);
}
const[,key,operator,quoted]=parts;
const value=unquoted(quoted);
if(value==="")return null;
if(key==="is"&&operator===":"){
if(Object.hasOwn(Entry.words,value))return(entry)=>entry.is(value);
this.problem = `is:${value} is unknown; ? lists what there is`;
return null;
}
if(operator in orders&&Number.isNaN(Number(value))){
this.problem = `${key}${operator} needs a number`;
return null;
}
const field=Filter.fields[key]??(({params,source})=>{
const param=valueAt(params,key);
return param===undefined?valueAt(source,key):param;
});
const holds=comparison(operator,value);
return(entry)=>{
const found=field(entry);
return found===undefined?operator==="!="&&entry.kind==="event":holds(found);
};
}
}
Filter.fields={
__proto__:null,
name:(entry)=>entry.name,
from:(entry)=>entry.from||undefined,
};
const unquoted = (text) => text.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");
const quoted = (text) => (/^[^\s"|\\]+$/.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`);
function valueAt(value,path){
if(!isContainer(value))return undefined;
if(Object.hasOwn(value,path))return value[path];
const dot=path.indexOf(".");
return dot>0&&Object.hasOwn(value,path.slice(0,dot))?valueAt(value[path.slice(0,dot)],path.slice(dot + 1)):undefined;
}
const orders={"<":(a,b)=>a<b,"<=":(a,b)=>a<=b,">":(a,b)=>a>b,">=":(a,b)=>a>=b};
function comparison(operator,value){
const[text,number]=[value.toLowerCase(),Number(value)];
const equals=(found)=>plain(found).toLowerCase()===text||found===number;
if(operator==="=")return equals;
if(operator==="!=")return(found)=>!equals(found);
if(operator===":")return(found)=>plain(found).toLowerCase().includes(text);
return (found) => (typeof found === "string" ? found.trim() !== "" : /number|bigint/.test(typeof found))
&&orders[operator](Number(found),number);
}
function swiftString(text){
const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")
.replace(/(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/gu, (character) => `\\u{${codePoint(character, 0)}}`);
return `"${escaped}"`;
}
function swiftMatcher(value,indent){
if(isVolatile(value))return ".any";
if(value===null)return "nil";
if(typeof value==="string")return swiftString(value);
if (typeof value === "bigint" && value > 2n ** 63n - 1n) return `.equal(to: ${value} as UInt64)`;
if(!isContainer(value))return String(value);
const inner = `${indent}  `;
if(Array.isArray(value))return layout("[",value.map((element)=>swiftMatcher(element,inner)),"]",indent);
const members = Object.keys(value).sort().map((key) => `${swiftString(key)}: ${swiftMatcher(value[key], inner)}`);
return members.length?layout("[",members,"]",indent):"[:]";
}
function layout(open,elements,close,indent){
const line = `${open}${elements.join(", ")}${close}`;
if (line.length + indent.length <= 90 && !line.includes("\n")) return line;
return `${open}\n${elements.map((element) => `${indent}  ${element},\n`).join("")}${indent}${close}`;
}
function typedSwift({kind,params,planned}){
if(kind!=="event"||!planned?.swift||[...leaves(params).values()].some(isVolatile))return undefined;
const values=new Map(Object.entries(params));
const parts=planned.params.map((param)=>{
const value=values.get(param.name);
if(!values.delete(param.name))return param.isOptional?"":undefined;
const text=typedValue(value,param);
return text && `${param.swift}: ${text}`;
});
return values.size || parts.includes(undefined) ? undefined : `${planned.swift}(${parts.filter(Boolean).join(", ")})`;
}
function typedValue(value,{type,cases,isOptional,isNullable}){
if(value===null)return isNullable&&!isOptional?"nil":undefined;
if (type === "choice") return Object.hasOwn(cases, value) ? `.${cases[value]}` : undefined;
if(type==="string"&&typeof value==="string")return swiftString(value);
if(type==="boolean"&&typeof value==="boolean"||type==="number"&&typeof value==="number")return String(value);
return type==="integer"&&(Number.isSafeInteger(value)||typeof value==="bigint"&&value<2n**63n)?String(value):undefined;
}
function swiftPattern(entry,indent,byName){
const{source}=entry;
if(entry.kind==="request"){
const body=parsedBody(source);
const condition = isContainer(body) && !Array.isArray(body) ? `, body: .jsonSubset(${swiftMatcher(body, indent)})` : "";
return `.request(${swiftMethod(source.method)}, ${swiftString(source.target.split("?")[0])}${condition})`;
}
const typed=!byName&&typedSwift(entry);
if (typed) return `.equal(to: ${typed})`;
if (Object.keys(entry.params).length === 0) return `.named(${swiftString(entry.name)})`;
return `.named(${swiftString(entry.name)}, params: ${swiftMatcher(entry.params, indent)})`;
}
const swiftMethod=(method)=>
/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) ? `.${method.toLowerCase()}` : swiftString(method);
function parsedBody(source){
try{
return source.body?parseExactly(source.body):undefined;
}catch{
return undefined;
}
}
function stubPath({target}){
let ids=0;
return target.split("?")[0].split("/").map((part) => /^\d+$/.test(part) || isVolatile(part) ? `:id${ids++ || ""}` : part).join("/");
}
function swiftStub({source}){
const result=source.method==="DELETE"?".status(204)":source.method==="POST"?".json([:], status: 201)":".json([:])";
return `verifier.stub(${swiftMethod(source.method)}, ${swiftString(stubPath(source))}, ${result})`;
}
const waitableOf=(entries)=>entries.filter(({kind})=>kind==="event"||kind==="request");
function swiftFor(entries,byName=false){
const waitable=waitableOf(entries);
if(waitable.length===0)return "";
if(waitable.length>1){
const patterns = waitable.map((entry) => `  ${swiftPattern(entry, "  ", byName)},\n`).join("");
return `verifier.wait(for: .inOrder([\n${patterns}]))`;
}
const[entry]=waitable;
if(entry.source.isUnmatched)return swiftStub(entry);
return `verifier.wait(for: ${!byName && typedSwift(entry) || swiftPattern(entry, "", byName)})`;
}
const changes=(value)=>[value,...leaves(value).values()].some(isVolatile);
const steady=(value,path)=>!changes(value)?[[path,value]]:isContainer(value)
? Object.entries(value).flatMap(([key, child]) => steady(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`)) : [];
function checkPattern({kind,name,params,source}){
const values=(object,each)=>Object.fromEntries(Object.entries(object).flatMap(each));
if(kind==="event")return{event:name,...(Object.keys(params).length?{params:values(params,([key,value])=>steady(value,key))}:{})};
const body=parsedBody(source);
return { request: `${source.method} ${source.target.split("?")[0]}`, ...(isContainer(body) && !Array.isArray(body) ? { body: values(body, ([key, value]) => changes(value) ? [] : [[key, value]]) } : {}) };
}
function checkFor(entries){
const asked=waitableOf(entries);
if(asked.length>1)return json({inOrder:asked.map(checkPattern)});
if(!asked[0]?.source.isUnmatched)return asked[0]?json(checkPattern(asked[0])):"";
return json({ request: `${asked[0].source.method} ${stubPath(asked[0].source)}`, json: {} });
}
function compared(before,now){
const merged=new Session();
merged.title = `${now.title || "this session"} compared with ${before.title || "the other"}`;
for(const member of["waits","lost","failures","plan","mutants"])merged[member]=now[member];
const add=(source,how,other)=>{
const entry=new Entry({...source,number:merged.entries.length + 1},merged);
entry.changes=differences(facts(other??entry),facts(entry)).filter(({before,after})=>!(isVolatile(before)&&isVolatile(after)));
entry.comparison=entry.changes.length?"changed":how;
merged.append(entry);
};
const[old,fresh]=[before.entries,now.entries];
let[i,j]=[0,0];
for(const[nextOld,nextFresh]of[...commonOrder(old,fresh),[old.length,fresh.length]]){
while(i<nextOld)add(old[i++].source,"missing");
while(j<nextFresh)add(fresh[j++].source,"added");
if(i<old.length&&j<fresh.length)add(fresh[j++].source,"same",old[i++]);
}
return merged;
}
function facts({kind,params,source}){
if(kind==="event")return params;
const{status,target,stub,fault,problem,reason,path}=source;
return{status,query:target?.split("?")[1],body:parsedBody(source)??source.body,stub,fault,problem,reason,path};
}
function commonOrder(old,fresh){
const numbers=new Map();
const number=(text)=>numbers.get(text)??(numbers.set(text,numbers.size),numbers.size - 1);
const[olds,freshes]=[old,fresh].map((entries)=>entries.map((entry)=>
[number(entry.name),number(entry.name + JSON.stringify(facts(entry),(key,value)=>(isVolatile(value)?"":raw(key,value))))]));
const score=(i,j)=>(olds[i][1]===freshes[j][1]?3:olds[i][0]===freshes[j][0]?2:0);
let[oldEnd,freshEnd]=[old.length,fresh.length];
while(oldEnd>0&&freshEnd>0&&score(oldEnd - 1,freshEnd - 1)===3)(oldEnd--,freshEnd--);
const pairs=[];
for(let[top,left]=[0,0];top<oldEnd&&left<freshEnd;){
if(score(top,left)===3){
pairs.push([top++,left++]);
continue;
}
const[rows,columns]=[Math.min(oldEnd - top,1000),Math.min(freshEnd - left,1000)];
const best=Array.from({length:rows + 1},()=>new Uint16Array(columns + 1));
const paired=(i,j)=>score(top + i,left + j)&&score(top + i,left + j)+ best[i + 1][j + 1];
for(let i=rows - 1;i>=0;i--){
for(let j=columns - 1;j>=0;j--)best[i][j]=Math.max(best[i + 1][j],best[i][j + 1],paired(i,j));
}
let[i,j]=[0,0];
while(i<rows&&j<columns){
if(best[i][j]===best[i + 1][j])i++;
else if(best[i][j]===best[i][j + 1])j++;
else pairs.push([top + i++,left + j++]);
}
[top,left]=[top + i,left + j];
}
for(let i=oldEnd;i<old.length;i++)pairs.push([i,freshEnd + i - oldEnd]);
return pairs;
}
function subject(text){
const found = /Nearest is #(\d+)/.exec(text) ?? [...text.split(/^Received/m)[0].matchAll(/#(\d+)/g)].at(-1);
return found?Number(found[1]):undefined;
}
const linked = (text) => text.split(/(#\d+)/).map((part, place) => {
const entry=place%2&&page.session.byNumber.get(Number(part.slice(1)));
return entry?quiet(part,()=>page.go(entry)):part;
});
function failedChecks(failures){
const all=[];
for(const{message,location}of failures){
const [check, ...lines] = message.split("\n");
const rest = lines.join("\n");
const early = /^(A matching|The check passed) /.test(check) && all.find((other) => other.location === location);
if (early) early.rest = `${check}\n${rest}\n\n${early.rest}`;
else all.push({check,location,rest});
}
return all;
}
const telling = (received) => received.flatMap((text) => text.split("\n")).filter((line) => /^ +#\d+ +\S+ m?s {2,}(?!matches |\d+ of )\S+( \S+)* {2,}\S/.test(line)).slice(0, 6);
function explanation(text){
const parts = visible(text, 20000).split("\n\n").filter(Boolean);
const[nearest,received]=["Nearest","Received"].map((word)=>parts.filter((part)=>part.startsWith(word)));
const rest=parts.filter((part)=>!nearest.includes(part)&&!received.includes(part));
if (nearest.length === 0 && telling(received).length > 0) rest.push(telling(received).join("\n"));
const shown=(parts)=>{
const lines = parts.join("\n\n").split("\n").flatMap((line) => {
const tag = { "-": "del", "+": "ins", "!": "ins" }[/^ {4}([-+!]) /.exec(line)?.[1]];
return [...(tag ? [make(tag, line)] : linked(line)), "\n"];
});
const element=block("Failure");
element.append(...lines.slice(0,-1));
return element;
};
return[parts.length>received.length&&shown([...nearest,...rest]),
received.length>0&&make("details",make("summary","Received"),shown(received))];
}
function card(state,progress,check,location,text){
const head=[badge([visible(progress,80),{failed:"bad",open:"open"}[state]??"odd"]),
make("span.check",oneLine(check,400)),make("span.location",oneLine(location??"",80))];
const properties = { className: "card", "data-key": `${state} ${check} ${location}`, "data-subject": subject(`${check}\n\n${text ?? ""}`) ?? "" };
if(!text?.trim())return make("div",properties,...head);
return make("details",properties,make("summary",...head),...explanation(text));
}
const stateCards=(failed,{waits,lost,mutants,omittedEntries:omitted})=>[
...failed.map(({check,location,rest})=>card("failed","Failed",check,location,rest)),
...waits.map((wait)=>card(wait.state??"open",wait.progress??"waiting",wait.check,wait.location,wait.nearestMiss)),
...lost.map((loss) => card("failed", "Lost", `${count(loss.count, "event")} of launch ${loss.launch} never arrived`, undefined,
loss.numbers.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", "))),
...[mutants && mutantsCard(mutants), omitted && card("note", "Cut", `${count(omitted, "entry")} left out of this report: the oldest, and very large ones. session.json has all.`)].filter(Boolean),
];
class Columns{
static all={
at:["Time","68px"],clock:["Clock","92px"],delta:["Distance","72px"],name:["Entry","minmax(120px, 21%)"],
summary:["Contents","minmax(0, 1fr)"],marks:["Marks","auto"],process:["Process","minmax(0, 80px)"],from:["Source","minmax(0, 72px)"],
};
static least={clock:1500,delta:821,process:821,from:821};
constructor(grid){
Object.assign(this,{grid,empty:new Set(),shown:[]});
this.chosen={};
try{
Object.assign(this.chosen,JSON.parse(localStorage.getItem("tracking-columns")));
} catch { /* A page from a file may have no storage. */ }
grid.querySelector(".head .row").append(...Object.entries(Columns.all).map(([id,[title]])=>
this.cell(id,"columnheader",title,make("span.grip",{onpointerdown:(event)=>this.drag(event,id)}))));
$("widths").append(...Object.entries(Columns.all).map(([id,[title]])=>make("p",{},
make("label", make("input", { type: "checkbox", name: id, onchange: ({ target }) => this.choose(id, { isHidden: !target.checked }) }), ` ${title} `),
make("input", { type: "range", min: 40, max: 800, value: this.chosen[id]?.width ?? 100, ariaLabel: `Width of ${title}`,
oninput:({target})=>this.choose(id,{width:Number(target.value)})}))),
make("button",{onclick:()=>(this.chosen={},this.choose("at",{}))},"As at first"));
this.lay();
}
isHidden(id){return this.chosen[id]?.isHidden??window.innerWidth<Columns.least[id];}
cell(id,role,...children){
const cell=make("span",{className:id,role,hidden:!this.shown.includes(id)},...children);
cell.style.gridColumn=id;
return cell;
}
drag(event,id){
const{currentTarget:grip,clientX:start}=event;
const{width}=grip.parentElement.getBoundingClientRect();
grip.setPointerCapture(event.pointerId);
grip.onpointermove=({clientX})=>this.choose(id,{width:Math.max(40,Math.round(width + clientX - start))});
grip.onpointerup=()=>(grip.onpointermove=null);
}
choose(id,change){
Object.assign(this.chosen[id]??={},change);
try{
localStorage.setItem("tracking-columns",JSON.stringify(this.chosen));
} catch { /* As above. */ }
this.lay();
}
lay(empty=this.empty){
this.empty=empty;
this.shown=Object.keys(Columns.all).filter((id)=>!this.isHidden(id)&&!empty.has(id));
const widths = this.shown.map((id) => `[${id}] ${this.chosen[id]?.width ? `${this.chosen[id].width}px` : Columns.all[id][1]}`);
this.grid.style.setProperty("--columns",widths.join(" "));
for(const box of $("widths").querySelectorAll("[type=checkbox]"))box.checked=!this.isHidden(box.name);
for(const cell of this.grid.querySelectorAll(".row > *"))cell.hidden=!this.shown.includes(cell.className);
}
}
class Names{
constructor(choose){
Object.assign(this,{element:$("names"),choose});
}
show(session){
this.session=session;
this.timer??=setTimeout(()=>(this.timer=undefined,this.render()),this.element.hidden?0:500);
}
render(){
if(this.element.hidden)return;
const{entries,plan,mutants}=this.session;
const found=new Map();
for(const entry of entries){
if(entry.kind!=="event")continue;
const row=found.get(entry.name);
if(row)Object.assign(row,{count:row.count + 1,last:entry,verified:row.verified +(entry.source.isMatched===true)});
else found.set(entry.name,{count:1,first:entry,last:entry,verified:Number(entry.source.isMatched===true)});
}
const planned=plan?.events??[];
const unseen=planned.filter(({name})=>!found.has(name));
const unplanned=[...found.keys()].filter((name)=>plan&&!this.session.planned(name));
const names=[...found.keys(),...unseen.map(({name})=>name)];
const focused=document.activeElement.dataset.name;
const rows=names.slice(0,5000).map((name)=>this.row(name,found.get(name),this.session.planned(name),Boolean(plan)));
const counts = plan ? `${planned.length - unseen.length} of ${count(planned.length, "planned event")} seen, ${unplanned.length} not in the plan ${[plan.name, plan.digest && `(${plan.digest})`].filter(Boolean).join(" ")}${
plan.omittedEvents ? `; ${grouped(plan.omittedEvents)} more planned events are left out of this report` : ""}`
:count(names.length,"name");
const heads=["Event","Count","First","Last","Verified",...(mutants?["Pinned"]:[]),...(plan?["Plan","Description","Owner"]:[])];
this.element.replaceChildren(make("table",make("caption",oneLine(counts,300)),
make("thead",make("tr",...heads.map((head)=>make("th",{scope:"col"},head)))),make("tbody",...rows)));
if(focused!==undefined)[...this.element.querySelectorAll("button")].find((each)=>each.dataset.name===focused)?.focus();
}
row(name,found,planned,hasPlan){
const deprecated=planned?.deprecated;
const state=!found?["not yet seen","odd"]:!planned?["not in the plan","bad"]:["seen","good"];
const cells=[found?.count??0,found?time(found.first.at):"",found?time(found.last.at):"",
found && (found.verified === found.count ? "all" : found.verified ? `${found.verified} of ${found.count}` : "none")];
if(this.session.mutants)cells.push(found&&pinnedOf(found.last.mutants));
const plan=[make("span",badge(state)," ",deprecated!==undefined&&badge(["deprecated","odd"])),
oneLine([planned?.description, deprecated && `Deprecated: ${deprecated}`].filter(Boolean).join(" "), 300), oneLine(planned?.owner ?? "", 40)];
return make("tr",make("th",{scope:"row"},found?quiet(oneLine(name,120),()=>this.choose(name),{"data-name":name}):oneLine(name,120)),
...[...cells,...(hasPlan?plan:[])].map((cell)=>make("td",cell instanceof Node?cell:String(cell??""))));
}
}
class Timeline{
static rowHeight=28;
constructor(onChange){
Object.assign(this,{grid:$("grid"),body:$("rows"),onChange,entries:[],active:null,selected:new Set(),pool:[],follows:true});
this.columns=new Columns(this.grid);
new ResizeObserver(()=>(this.columns.lay(),this.follows&&this.scrollToEnd(),this.schedule())).observe(this.grid);
this.body.onclick=(event)=>this.click(event);
}
get isAtEnd(){return this.grid.scrollTop + this.grid.clientHeight>=this.grid.scrollHeight - 2*Timeline.rowHeight;}
show(entries){
const offset=this.top(this.indexOf(this.active))- this.grid.scrollTop;
[this.entries,this.places]=[entries];
this.resize();
const index=this.indexOf(this.active);
if(index>=0&&offset>0&&offset<this.grid.clientHeight)this.grid.scrollTop=this.top(index)- offset;
else if(index>=0)this.reveal(index);
else if(this.follows)this.scrollToEnd();
this.refresh();
}
grew(){
this.resize();
if(this.follows)this.scrollToEnd();
this.schedule();
}
resize(){
this.body.style.height = `${this.top(this.entries.length)}px`;
this.grid.ariaRowCount=this.entries.length + 1;
}
top(index){return index*Timeline.rowHeight;}
scrollToEnd(){this.grid.scrollTop=this.grid.scrollHeight;}
schedule(){
this.frame??=requestAnimationFrame(()=>(this.frame=null,this.render()));
}
render(){
const{rowHeight}=Timeline;
const size = this.all || Math.ceil(this.grid.clientHeight / rowHeight) + 16;
while(this.pool.length<size)this.addRow();
const first = Math.max(0, Math.min(Math.floor(this.grid.scrollTop / rowHeight) - 6, this.entries.length - size));
let activeRow="";
for(let index=first;index<first + this.pool.length;index++){
const row=this.pool[index%this.pool.length];
const{element}=row;
const entry=this.entries[index];
element.hidden=!entry;
if(row.index!==index||row.entry!==entry)this.fill(row,index,entry);
const isActive=entry!==undefined&&entry===this.active;
if(isActive)activeRow=element.id;
const distance=entry&&this.active&&!isActive?signed(entry.at - this.active.at):"";
if(distance!==row.distance)row.cells.delta.textContent=row.distance=distance;
element.classList.toggle("active",isActive);
element.ariaSelected=isActive||this.selected.has(entry);
}
this.grid.setAttribute("aria-activedescendant",activeRow);
}
addRow(){
const cells=Object.fromEntries(Object.keys(Columns.all).map((id)=>[id,this.columns.cell(id,"gridcell")]));
const element = make("div.row", { role: "row", id: `row-${this.pool.length}` }, ...Object.values(cells));
this.body.append(element);
this.pool.push({element,cells,index:-1,entry:null});
this.refresh();
}
fill(row,index,entry){
Object.assign(row,{index,entry});
if(!entry)return;
const{at,clock,name,summary,marks,process,from}=row.cells;
row.element.style.transform = `translateY(${this.top(index)}px)`;
row.element.ariaRowIndex=index + 2;
Object.assign(row.element.dataset,{kind:entry.kind,severity:entry.marks[0]?.[1]??""});
const{zero}=entry.session;
at.textContent=zero?signed(entry.at - zero.at):time(entry.at);
clock.textContent=entry.clock;
name.textContent=oneLine(entry.name,80);
summary.textContent=entry.summary;
process.textContent=oneLine(entry.source.process??"",40);
from.textContent=oneLine(entry.source.vendor??entry.source.launch??"",24);
marks.replaceChildren(...entry.marks.map(badge));
}
refresh(){
const{session}=this.entries[0]??{};
const empty={clock:!session?.began,delta:!this.active,process:!(session?.processes.size>1),from:!session?.hasSources};
const hidden=new Set(Object.keys(empty).filter((id)=>empty[id]));
if([...hidden].join()!==[...this.columns.empty].join())this.columns.lay(hidden);
for(const row of this.pool)row.index=-1;
this.schedule();
}
indexOf(entry){
if(this.places?.size!==this.entries.length)this.places=new Map(this.entries.map((each,index)=>[each,index]));
return this.places.get(entry)??-1;
}
activate(index,{extend=false}={}){
const entry=this.entries[Math.max(0,Math.min(index,this.entries.length - 1))];
if(!entry)return;
if(extend){
const[from,to]=[this.indexOf(this.active??entry),this.indexOf(entry)].sort((a,b)=>a - b);
for(let place=Math.max(from,0);place<=to;place++)this.selected.add(this.entries[place]);
}else{
this.selected.clear();
}
this.active=entry;
this.reveal(this.indexOf(entry));
this.changed();
}
move(by,options){this.activate(this.active?this.indexOf(this.active)+ by:by>0?0:Infinity,options);}
findProblem(){
const start=this.indexOf(this.active);
const index=this.entries.findIndex((entry,index)=>index>start&&entry.isBad);
if(index>=0)this.activate(index);
}
toggle(entry){
if(!this.selected.delete(entry))this.selected.add(entry);
this.changed();
}
changed(){
this.refresh();
this.onChange();
}
printed(isPrinted){
this.all=isPrinted?Math.min(this.entries.length,20_000):0;
this.render();
}
reveal(index){
const[top,height]=[this.top(index),Timeline.rowHeight];
const view=this.grid.clientHeight - height;
if(top<this.grid.scrollTop)this.grid.scrollTop=top;
else if(top + height>this.grid.scrollTop + view)this.grid.scrollTop=top + height - view;
}
get chosen(){
if(this.selected.size===0)return this.active?[this.active]:[];
return[...this.selected].sort((a,b)=>this.indexOf(a)- this.indexOf(b));
}
click(event){
const row=this.pool.find(({element})=>element.contains(event.target));
if(!row?.entry)return;
if(event.ctrlKey||event.metaKey){
if(this.active&&this.selected.size===0)this.selected.add(this.active);
this.toggle(row.entry);
}else{
this.activate(row.index,{extend:event.shiftKey});
}
}
}
const bytesOf=(base64)=>Uint8Array.from(atob(base64),(character)=>character.charCodeAt(0));
function hexRows(bytes){
const rows=[];
for(let at=0;at<Math.min(bytes.length,1024);at +=16){
const row=[...bytes.slice(at,at + 16)];
rows.push(`${at.toString(16).padStart(4, "0")}  ${row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47)}  ${
row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")}`);
}
return rows.join("\n");
}
function multipart(body,type){
const boundary = /boundary="?([^";]+)/i.exec(type)?.[1];
return boundary && body.split(`--${boundary}`).slice(1).filter((part) => !part.startsWith("--")).map((part) => {
const [head, ...rest] = part.trimStart().split(/\r?\n\r?\n/);
const named = (word) => new RegExp(`[; ]${word}="([^"]*)"`, "i").exec(head)?.[1];
return { name: [named("name"), named("filename")].filter(Boolean).join(", ") || head, value: rest.join("\n\n").replace(/\r?\n$/, "") };
});
}
function bodyView(source,fields,tree){
const{body,bodyBase64}=source;
const type=fields?.find(({name})=>name.toLowerCase()==="content-type")?.value??"";
if (bodyBase64 && /^image\/(png|jpeg|gif|webp)\b/i.test(type)) return make("img", { alt: "The picture in the body", src: `data:${type.split(";")[0]};base64,${bodyBase64}` });
if(bodyBase64)return block("Bytes of the body",hexRows(bytesOf(bodyBase64)));
const json=parsedBody(source);
if(isContainer(json))return tree(json);
if (/^application\/x-www-form-urlencoded/i.test(type)) return table([...new URLSearchParams(body)].map(([name, value]) => ({ name, value })));
const parts = /^multipart\//i.test(type) && multipart(body, type);
return parts?table(parts):whole(block("Body"),body,4000);
}
const shellWord = (text) => (text.search(invisible) < 0 ? `'${text.replaceAll("'", "'\\''")}'`
: `$'${text.replace(/[\\']/g, "\\$&").replace(invisible, (character) => `\\U${codePoint(character).padStart(8, "0")}`)}'`);
function curlFor({method,target,headers=[],body,bodySize}){
const host=headers.find(({name})=>name.toLowerCase()==="host")?.value??location.host;
const sent = headers.filter(({ name, value }) => !/^(host|content-length|connection|accept-encoding)$/i.test(name) && value !== "(left out)");
return ["curl", ...(method === "GET" ? [] : ["-X", shellWord(method)]), shellWord(`http://${host}${target}`),
...sent.flatMap(({ name, value }) => ["-H", shellWord(`${name}: ${value}`)]), ...(bodySize ? ["--data-binary", shellWord(body ?? "")] : [])].join(" ");
}
const own=(object,name)=>(isContainer(object)&&Object.hasOwn(object,name)?object[name]:undefined);
const pins={check:["pinned","good"],plan:["pinned by the plan","good"],returned:["returned","good"],untried:["not tried",""]};
const isLoose=({pinned})=>!own(pins,pinned);
const hint = ({ pinned, partly, planned, noticed, passing, untried, suggestion }) => [planned?.length && `the plan notices ${planned.join(", ")}`, passing && `${passing} passes`, untried && `${untried} wasn't tried`,
partly === "check" && `${noticed ?? "another change"} is noticed`, suggestion && `${suggestion} would notice`,
pinned==="discarded"&&"unless the test checks the returned event itself"].filter(Boolean).join(", ");
function pin(mutants,path){
const found = own(mutants?.params, path) ?? own(mutants?.params, path.replace(/\.\d+(?=\.|$)/g, "[]"));
return found?[" ",badge(own(pins,found.pinned)??["not pinned","odd"])," ",(isLoose(found)||found.untried)&&make("span.hint",oneLine(hint(found),200))]:[];
}
function pinnedOf({params={}}={}){
const all=Object.values(params).filter(({pinned})=>pinned!=="returned"&&pinned!=="untried");
return all.length ? `${all.filter(({ pinned }) => pinned === "check" || pinned === "plan").length} of ${all.length}` : "";
}
const weakest = (name, { waits: [wait] = [] }) => (wait ? `Weakest check: ${wait.words}, ${wait.assertion}` : `No check looks for ${name}`);
const noticed=({mutants,name})=>mutants&&section("Noticed by the test",make("p",{},
visible([weakest(name,mutants),mutants.waits?.[0]?.line??mutants.suggestion].filter(Boolean).join(", "))," ",
...(mutants.noticed??[]).map((change)=>badge([oneLine(change,20),"good"]))));
function mutantsCard({tried,noticed,leftOut,events,requests}){
if(leftOut)return card("note","Not tried",leftOut);
const all=Object.entries({...events,...requests})
.map(([name,subject])=>({name,subject,params:Object.entries(subject.params??{}).filter(([,param])=>isLoose(param))}));
const loose=all.filter(({params})=>params.length).sort((a,b)=>b.params.length - a.params.length);
const unexpected=all.filter(({subject})=>subject.suggestion);
const[{name,subject}={}]=[...loose,...unexpected];
return card("note", `${noticed} of ${count(tried, "change")} noticed`, name ? weakest(name, subject) : "No param can change unnoticed", subject?.waits?.[0]?.line,
[...unexpected.map(({ name, subject }) => `${name}: no check notices that it is missing, ${subject.suggestion} would`),
...loose.flatMap(({ name, params }) => params.map(([path, param]) => `${name}.${path}: ${hint(param)}`))].join("\n"));
}
class Detail{
constructor(actions){
this.actions=actions;
this.element=$("detail");
}
show(entry,chosen){
const parts=entry?this.parts(entry,chosen):[make("p.hint","Select an entry.")];
this.element.replaceChildren(...parts.filter(Boolean));
this.element.scrollTop=0;
}
parts(entry,chosen){
const{source}=entry;
return[
make("h2",oneLine(entry.name,200)),
make("p.facts", `${entry.number ? `#${entry.number} · ` : ""}${time(entry.at)} s · ${entry.clock && `${entry.clock} · `}${source.vendor ?? entry.kind} `,
...entry.marks.map(badge)),
...problems(source).map((text)=>make("p.problem",...linked(visible(text)))),
...this.buttons(entry,chosen),
entry.changes.length>0&&section("Against the other session",changeTable(entry.changes)),
Object.keys(entry.params).length>0&&section("Params",this.tree(entry.params,"",entry)),
noticed(entry),
this.change(entry),
source.context&&section("Context",this.tree(source.context)),
source.headers?.length&&section("Header fields",table(source.headers)),
this.body("Body",source,source.headers),
source.response && section(["Response", source.status, source.response.milliseconds !== undefined && `after ${time(source.response.milliseconds)} s`]
.filter(Boolean).join(" "),table(source.response.fields??[])),
source.response&&this.body("Response body",source.response,source.response.fields),
this.delivery(entry),
];
}
body(title,source,fields){
if(!source.body)return null;
const size=source.bodySize===undefined?"a stream":count(source.bodySize,"byte");
return section(`${title}, ${size}`, bodyView(source, fields, (value) => this.tree(value)));
}
delivery({source,number,at,test}){
const facts = Object.entries(source).filter(([name, value]) => !isContainer(value) && !shownElsewhere.test(name)).map(([name, value]) => ({ name: name === "at" ? "tracked at" : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), value: plain(value) }));
if(test?.name)facts.push({name:"test",value:oneLine(test.name,200)});
let[first,last]=[number,number];
const isCarried=(place,other=this.actions.entry(place))=>
source.connection&&other?.source.connection===source.connection&&other.at===at;
while(isCarried(first - 1))first--;
while(isCarried(last + 1))last++;
if (first < last) facts.push({ name: "same request", value: `#${first} to #${last}` });
return facts.length>0&&section("Delivery",table(facts));
}
buttons(entry,chosen){
const copied=chosen.length>1?waitableOf(chosen):[entry];
const check=this.actions.isServed()?checkFor(copied):"";
const[swift,named]=check?[]:[swiftFor(copied),swiftFor(copied,true)];
const isStub=copied.length<2&&copied[0]?.source.isUnmatched;
const title = isStub ? "Copy the stub" : `Copy ${copied.length > 1 ? `${copied.length} in order ` : ""}as ${check ? "check" : "Swift"}`;
const button=(text,onclick,title="")=>make("button",{title,onclick},text);
const{copy,filter}=this.actions;
return[
make("div.tools",{role:"toolbar",ariaLabel:"Entry"},
check&&button(title,()=>copy(check,"JSON"),"c"),
check && !isStub && button("Copy for a shell", () => copy(`tracking wait ${shellWord(check)}`, "shell")),
swift&&button(title,()=>copy(swift,"Swift"),"c"),
swift!==named&&button("Copy by name",()=>copy(named,"Swift")),
entry.kind==="request"&&button("Copy as curl",()=>copy(curlFor(entry.source),"curl")),
button("Copy JSON",()=>copy(json(entry.source,2),"JSON")),
button("Only this name", () => filter(`name=${quoted(entry.name)}`))),
swift&&block("As Swift",visible(swift,4000)),
check&&block("As JSON",visible(check,4000)),
];
}
tree(value,path="",entry){
const members=Object.entries(value);
const shown=members.slice(0,500).map(([key,child])=>{
const childPath = path ? `${path}.${key}` : key;
const label=make("span.key",oneLine(key,120));
const pinned=entry?pin(entry.mutants,childPath):[];
if(isContainer(child)&&Object.keys(child).length){
const size = Array.isArray(child) ? `[${child.length}]` : `{${Object.keys(child).length}}`;
const details = make("details", make("summary", label, ` ${size}`, ...pinned));
details.ontoggle=()=>details.children.length>1||details.append(this.tree(child,childPath,entry));
details.open=childPath.split(".").length<3&&Object.keys(child).length<=40;
if(details.open)details.ontoggle();
return make("li",details);
}
return make("li", label, " ", leaf(child), ...pinned, entry && !isContainer(child) && plain(child).length < 200 && /^[^\s":=<>!|]+$/.test(childPath)
? quiet("filter", () => this.actions.filter(`${childPath in Filter.fields ? "params." : ""}${childPath}=${quoted(plain(child))}`),
{ title: "Filter for this value", ariaLabel: `Filter for this ${oneLine(key, 60)}` }) : null);
});
if (members.length > 500) shown.push(make("li.hint", `${members.length - 500} more`));
return make("ul.tree",...shown);
}
change({previous,params,kind,at}){
if(kind!=="event"||!previous)return null;
const changes=differences(previous.params,params);
const link = quiet(`#${previous.number}`, () => this.actions.go(previous));
const heading = make("span", "Changed since", link, `(${time(at - previous.at)} s earlier)`);
return section(heading,changes.length?changeTable(changes):make("p.hint","No param"));
}
}
const shownElsewhere = /^(is.*|kind|name|number|milliseconds|body|bodyBase64|path|reason|problem|fault|nearestStub)$/;
const problems=(source)=>[
...(source.findings??[]).map(located),source.reason&&located({...source,message:source.reason}),source.problem,
source.fault && `Injected fault: ${source.fault}`,
source.isUnmatched && `No stub matches.${source.nearestStub ? ` Nearest: ${source.nearestStub}` : ""}`,
].filter(Boolean);
const located = ({ path, message }) => `${path ? `${path}: ` : ""}${message}`;
const block=(label,text="")=>make("pre",{tabIndex:0,role:"group",ariaLabel:label},text);
function whole(element,text,length){
element.textContent=visible(text,length);
if(text.length<=length)return element;
const all=quiet("show all",()=>(element.textContent=visible(text,Infinity),all.remove()));
return make("span",element," ",all);
}
function leaf(value){
const kind=value===null?"null":typeof value==="bigint"?"number":typeof value;
return whole(make("span",{className:kind}),json(value),600);
}
const section=(title,content)=>make("section",make("h3",title),content);
const table=(pairs)=>make("dl.pairs",...pairs.flatMap(({name,value})=>
[make("dt",oneLine(name,80)),make("dd",visible(String(value),600))]));
const changeTable=(changes)=>make("ul.tree.changes",...changes.slice(0,200).map(({path,before,after})=>
make("li",make("span.key",oneLine(path,120))," ",
before!==undefined&&make("del",visible(plain(before),200))," ",
after!==undefined&&make("ins",visible(plain(after),200)))));
class Tests{
static badges={running:["running","open"],passed:["passed","good"],failed:["failed","bad"]};
constructor(choose){
Object.assign(this,{element:$("tests"),choose,all:new Map(),list:make("ul.tree"),heading:make("summary")});
this.element.append(make("details",this.heading,this.list));
}
take(changed,shown,isChosen){
for(const test of changed)this.all.set(test.number,test);
const tests=[...this.all.values()];
this.element.hidden=tests.length<2;
const number=(state)=>tests.filter((test)=>test.state===state).length;
const current=this.all.get(shown);
this.heading.replaceChildren(`${count(tests.length, "test")} `, ...["failed", "passed"].filter(number).map((state) => badge([`${number(state)} ${state}`, Tests.badges[state][1]])),
" ",oneLine(current?.title??"",120),isChosen&&make("button",{onclick:()=>this.choose()},"Follow the run")||"");
const focused=document.activeElement.dataset.test;
this.list.replaceChildren(...tests.slice(-500).reverse().map(({number,title,state,isKept})=>make("li",badge(Tests.badges[state])," ",
quiet(oneLine(title,200),()=>this.choose(number),{"data-test":number,disabled:!isKept,ariaCurrent:number===shown}))));
if (focused) this.list.querySelector(`[data-test="${Number(focused)}"]`)?.focus();
}
}
class Feed{
constructor(token,take,say){
[this.token,this.take,this.say]=[token,take,say];
this.cursor={};
this.pending=new Set();
}
stop(){this.isStopped=true;}
choose(number){
this.chosen=number;
this.request?.abort();
}
async run(){
while(!this.isStopped){
try{
const{chosen}=this;
const known={...this.cursor,pending:[...this.pending].slice(0,100),...(chosen&&{chosen})};
this.request=new AbortController();
const response = await fetch(`feed?${new URLSearchParams(known)}`, { headers: { Authorization: `Bearer ${this.token}` }, signal: this.request.signal });
if(response.status===401||response.status===403)return this.say("refused");
if (!response.ok) throw new Error(`status ${response.status}`);
const part=parseExactly(await response.text());
if(this.isStopped)return;
if(part.cursor.test!==this.cursor.test)this.pending.clear();
this.cursor=part.cursor;
for(const entry of part.entries)this.pending[entry.hasResponse===false?"add":"delete"](entry.number);
this.say("live");
this.take(part);
if (!part.isMore) await new Promise((resume) => setTimeout(resume, Math.min(60 + part.entries.length / 4, 300)));
}catch(error){
if(error.name==="AbortError")continue;
if(!this.isStopped)this.say("ended");
await new Promise((resume)=>setTimeout(resume,1000));
}
}
}
}
class Page{
constructor(){
Object.assign(this,{session:new Session(),filter:new Filter(""),timeline:new Timeline(()=>this.changed())});
this.names = new Names((name) => (this.view("timeline"), this.setFilter(`is:event name=${quoted(name)}`), $("grid").focus()));
this.tests=new Tests((number)=>(this.feed.choose(number),this.tests.take([],this.test,number)));
this.detail=new Detail({
copy:(text,what)=>this.copy(text,what),
filter:(term)=>this.addTerm(term),
go:(entry)=>this.go(entry),
entry:(number)=>this.session.byNumber.get(number),
isServed:()=>this.session.isServed,
});
Object.assign(this,{unseen:0,news:[],failed:new Map(),cleared:0});
this.listen();
this.makeChips();
this.readFragment();
this.detail.show(null,[]);
}
begin(){
const inlined=$("session");
if(inlined)return this.load(inlined.textContent,"Report");
if(!location.protocol.startsWith("http"))return this.status("","Open a session.json, or drop it here");
const token=this.fragment.get("token");
window.onhashchange=()=>(this.fragment.get("token")===token?this.readFragment():location.reload());
if(!token)return this.say("The token is missing. Open the whole URL that the test or command has printed.");
this.status("","Connecting…");
this.feed=new Feed(token,(part)=>this.receive(part),(state)=>this.feedChanged(state));
this.feed.run();
}
load(text,origin,change=(session)=>session){
try{
this.adopt(change(Session.read(text)),origin);
}catch(error){
this.say(`${origin} can't be shown. ${error.message}`);
}
}
adopt(session,origin){
this.feed?.stop();
this.session=session;
Object.assign(this.timeline,{active:null,selected:new Set(),follows:false});
this.cleared=0;
$("follow").hidden=true;
this.say("");
this.status("file", this.feed ? `${origin}. Reload to go live` : origin);
for(const entry of session.entries)entry.text;
this.apply();
this.showState();
this.changed();
const entry=session.byNumber.get(Number(this.fragment.get("entry")));
if(entry)this.go(entry);
else if(!this.timeline.active)this.timeline.activate(this.timeline.entries.findIndex((entry)=>entry.isBad));
}
get fragment(){return new URLSearchParams(location.hash.slice(1));}
receive(part){
this.status("live",part.isHeld?"The test has failed and waits: close this page to let it end":"Live");
if(part.cursor.test!==this.test)this.beginTest(part.cursor.test);
const before=this.session.entries.length;
this.session.take(part);
this.setup=part.setup??this.setup;
if(part.tests)this.tests.take(part.tests,this.test,this.feed.chosen);
const fresh=this.session.entries.slice(before);
for(const entry of fresh)entry.text;
const shown=fresh.filter((entry)=>this.shows(entry));
this.timeline.entries.push(...shown);
this.timeline.grew();
if(!this.timeline.follows)this.unseen +=shown.length;
this.showCounts();
if(Object.keys(part.marks).length||fresh.length<part.entries.length)this.filter.isEmpty?this.timeline.refresh():this.apply();
this.showState();
this.names.show(this.session);
this.announce(fresh);
}
beginTest(number){
[this.test,this.session,this.state,this.suggested]=[number,new Session(),undefined,undefined];
Object.assign(this.timeline,{active:null,selected:new Set()});
this.clear(false);
this.follow(!this.feed.chosen);
this.detail.show(null,[]);
this.tests.take([],number,this.feed.chosen);
}
feedChanged(state){
if(state===this.feedState)return;
this.feedState=state;
if(state!=="live")this.status("ended",state==="ended"?"The server has stopped":"Not connected");
this.say(state==="refused"?"The server refuses this token. Open the URL that the test or command has printed.":"");
}
apply(){
const{entries}=this.session;
this.timeline.show(entries.filter((entry)=>this.shows(entry)));
this.names.show(this.session);
this.unseen=0;
this.showCounts();
}
firstMinute({url,environment,sdks}){
const lines = [["See an event now", `curl -d '{"name":"hello"}' -H 'Content-Type: application/json' '${url}'`],
["Environment of an app",Object.entries(environment).map((pair)=>pair.join("=")).join(" ")],...sdks.map((sdk)=>[sdk.name,sdk.url])];
return lines.map(([label,text])=>make("p",label," ",make("code",oneLine(text,400))," ",
quiet("Copy", () => this.copy(text, label), { ariaLabel: `Copy: ${label}` })));
}
shows(entry){return entry.place>=this.cleared&&this.filter.matches(entry);}
clear(isCleared=this.cleared===0){
this.cleared=isCleared?this.session.entries.length:0;
$("clear").ariaPressed=isCleared;
$("clear").textContent=isCleared?"Show all":"Clear";
this.apply();
}
mark(){
const{active}=this.timeline;
this.session.zero=active===this.session.zero?undefined:active;
this.timeline.refresh();
this.changed();
}
view(name=$("names").hidden?"names":"timeline"){
[$("names").hidden,$("timeline").hidden]=[name!=="names",name==="names"];
$("view").ariaPressed=name==="names";
this.names.render();
}
showCounts(){
const[shown,all]=[this.timeline.entries.length,this.session.entries.length];
$("count").textContent=this.filter.isEmpty&&!this.cleared?count(all,"entry")
: `${grouped(shown)} of ${grouped(all)}`;
$("newer").hidden=this.unseen===0;
$("newer").textContent = `${grouped(this.unseen)} new ↓`;
$("empty").hidden=shown>0;
if(shown>0)return;
const{state}=$("state").dataset;
const text=all>0?"No entry matches the filter.":{live:"Nothing has arrived yet.",file:"This session has no entries."}[state]??"";
$("empty").replaceChildren(make("p",text),...(all===0&&state==="live"&&this.setup?this.firstMinute(this.setup):[]));
}
showState(){
const{title,waits,failures,lost,mutants,omittedEntries}=this.session;
document.title=$("title").textContent=oneLine(title||"Tracking inspector",120);
const failed=failedChecks(failures);
const cards=stateCards(failed,this.session);
const text=json([failures,waits,lost,mutants,omittedEntries]);
if(text===this.state)return;
this.state=text;
for(const each of[cards[0],...cards.slice(failed.length,failed.length + waits.length)])if(each)each.open=true;
const before=new Map([...$("waits").children].map((each)=>[each.dataset.key,each]));
const focused=document.activeElement.closest(".card")?.dataset.key;
for(const each of cards)each.open=before.get(each.dataset.key)?.open??each.open;
$("waits").replaceChildren(...cards);
$("waits").hidden=cards.length===0;
cards.find((each)=>each.dataset.key===focused)?.firstChild.focus();
const subjects=(from,to)=>new Map(cards.slice(from,to).map((each)=>[each,this.session.byNumber.get(Number(each.dataset.subject))]));
[this.failed,this.nearest]=[subjects(0,failed.length),subjects(failed.length,failed.length + waits.length)];
[this.session.failed,this.session.nearest]=[this.failed,this.nearest].map((each)=>new Set(each.values()));
this.suggest([...this.session.failed,...this.session.nearest].find(Boolean),failures.length>0);
this.timeline.refresh();
}
suggest(entry,isFailure){
const{timeline}=this;
if(!entry||entry===timeline.active||timeline.active&&timeline.active!==this.suggested)return;
this.suggested=entry;
if(isFailure)timeline.follows&&this.follow(false);
timeline.active=entry;
if(!timeline.follows)timeline.reveal(timeline.indexOf(entry));
timeline.changed();
}
nextFailure(){
const cards=[...this.failed.keys()];
if(cards.length===0)return;
const next=cards[(cards.findIndex((each)=>each.open)+ 1)%cards.length];
for(const each of cards)each.open=each===next;
next.scrollIntoView({block:"nearest"});
if(this.failed.get(next))this.go(this.failed.get(next));
}
changed(){
const{active,chosen}=this.timeline;
const isRead=active&&active!==this.suggested;
if(isRead&&this.feed&&!this.feed.chosen)this.tests.take([],this.test,this.feed.chosen=this.test);
if(isRead&&this.timeline.follows&&active!==this.timeline.entries.at(-1))this.follow(false);
this.detail.show(active,chosen);
this.writeFragment();
}
go(entry){
if(this.timeline.indexOf(entry)<0)this.setFilter("");
this.timeline.activate(this.timeline.indexOf(entry));
}
follow(follows){
this.timeline.follows=follows;
$("follow").ariaPressed=follows;
if(!follows)return;
this.unseen=0;
this.timeline.scrollToEnd();
this.showCounts();
}
status(state,text){
$("state").dataset.state=state;
$("status").textContent=text;
}
say(text,seconds){
clearTimeout(this.saying);
$("banner").textContent=text;
$("banner").hidden=text==="";
if(seconds)this.saying=setTimeout(()=>this.say(""),seconds*1000);
}
announce(fresh){
this.news.push(...fresh);
if(this.news.length>0)this.timer??=setTimeout(()=>{
$("live").textContent = `${count(this.news.length, "new entry")}, ${this.news.filter((entry) => entry.isBad).length} with a problem`;
[this.timer,this.news]=[undefined,[]];
},1000);
}
setFilter(text){
if($("filter").value!==text)$("filter").value=text;
this.filter=new Filter(text);
$("problem").textContent=this.filter.problem;
for(const chip of $("chips").children)chip.ariaPressed=chip.dataset.term===text.trim();
this.apply();
this.writeFragment();
}
addTerm(term){
const text=$("filter").value.trim();
if (!text.includes(term)) this.setFilter(text ? `${text} ${term}` : term);
}
readFragment(){
this.setFilter(this.fragment.get("filter")??"");
}
writeFragment(){
clearTimeout(this.writing);
this.writing=setTimeout(()=>{
const{fragment}=this;
const set=(name,value)=>(value?fragment.set(name,value):fragment.delete(name));
set("filter",$("filter").value);
set("entry",this.timeline.active?.number);
history.replaceState(null, "", `#${fragment}`);
},150);
}
makeChips(){
const chips={All:"",Problems:"is:bad",Events:"is:event",Requests:"is:request",Unverified:"is:unverified"};
$("chips").append(...Object.entries(chips).map(([text,term])=>make("button",{"data-term":term,onclick:()=>this.setFilter(term)},text)));
$("kinds").textContent=Object.keys(Entry.words).slice(1).join(", ");
}
listen(){
$("filter").oninput=({target})=>this.setFilter(target.value);
$("search").onsubmit=(event)=>(event.preventDefault(),$("grid").focus());
$("grid").onscroll=()=>(this.timeline.schedule(),this.scrolled());
$("grid").onfocus=()=>this.timeline.active??this.timeline.activate(this.timeline.follows?Infinity:0);
const buttons={
newer:()=>this.follow(true),follow:()=>this.follow(!this.timeline.follows),clear:()=>this.clear(),view:()=>this.view(),
columns:()=>$("widths").showModal(),help:()=>$("about").showModal(),open:()=>this.pick("open"),compare:()=>this.pick("compare"),
save:()=>this.save(),
};
for(const id of Object.keys(buttons))$(id).onclick=buttons[id];
window.onbeforeprint=()=>this.timeline.printed(true);
window.onafterprint=()=>this.timeline.printed(false);
$("file").onchange=(event)=>this.read(event.target.files[0]);
window.onhashchange=()=>this.readFragment();
window.onkeydown=(event)=>this.key(event);
window.ondragover=(event)=>event.preventDefault();
window.ondrop=(event)=>(event.preventDefault(),(this.purpose="open"),this.read(event.dataTransfer.files[0]));
}
scrolled(){
const{isAtEnd,grid:{scrollTop}}=this.timeline;
if(scrollTop<this.lastTop&&!isAtEnd)this.follow(false);
else if(isAtEnd&&this.unseen>0)this.follow(true);
this.lastTop=scrollTop;
}
key(event){
const{timeline}=this;
const isOpen=$("about").open||$("widths").open;
const isTyping=event.target===$("filter");
if(event.key==="Escape"&&!isOpen){
if(isTyping?timeline.entries.length===0:event.target===$("grid"))this.setFilter("");
return $("grid").focus();
}
if(event.ctrlKey||event.metaKey||event.altKey||isTyping||isOpen)return;
const move=(by)=>()=>timeline.move(by,{extend:event.shiftKey});
const select=()=>timeline.active&&timeline.toggle(timeline.active);
const actions={
"/": () => $("filter").select(), "?": () => $("about").showModal(), f: () => this.follow(!timeline.follows),
j:move(1),k:move(-1),x:select,b:()=>timeline.findProblem(),n:()=>this.nextFailure(),m:()=>this.mark(),l:()=>this.clear(),v:()=>this.view(),
c:()=>(this.session.isServed?this.copy(checkFor(timeline.chosen),"JSON"):this.copy(swiftFor(timeline.chosen),"Swift")),
};
const gridActions={
ArrowDown:move(1),ArrowUp:move(-1),PageDown:move(20),PageUp:move(-20),Home:move(-Infinity),End:move(Infinity),
" ":select,Enter:()=>$("detail").focus(),
};
const inGrid=event.target===$("grid")||event.target===document.body;
const action=actions[event.key.toLowerCase()]??(inGrid&&gridActions[event.key]);
if(!action)return;
event.preventDefault();
action();
}
async copy(text,what){
if(!text)return;
try{
await navigator.clipboard.writeText(text);
this.say(`Copied ${what}`, 2);
}catch(error){
this.say(`The browser does not let the page copy: ${error.message}`, 8);
}
}
pick(purpose){
this.purpose=purpose;
$("file").value="";
$("file").click();
}
async read(file){
if(!file)return;
const text=await file.text();
if (this.purpose === "compare") this.load(text, `Compared with ${file.name}`, (other) => compared(other, this.session));
else this.load(text,file.name);
}
save(){
const url = URL.createObjectURL(new Blob([this.session.json], { type: "application/json" }));
make("a", { href: url, download: `${this.session.title.replace(/[^\w.-]+/g, "-") || "the"}-session.json` }).click();
setTimeout(()=>URL.revokeObjectURL(url),1000);
}
}
const page=new Page();
page.begin();
</script>
</body></html>

"""##
}
