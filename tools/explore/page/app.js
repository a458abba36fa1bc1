// The page: an editor, and views of what its text becomes.

import { Refused, ask, snapshot, start } from "./service.js";
import { Comparison } from "./compare.js";
import { LayoutView } from "./layouts.js";
import { MessageView } from "./messages.js";
import { RunView } from "./run.js";
import { StagePanes } from "./stages.js";
import { TextView, lightLine } from "./editors.js";
import { element, fill, menu } from "./dom.js";
import { exported, packed, unpacked } from "./share.js";
import { showBinary } from "./binary.js";

const PAUSE = 150; // milliseconds without a key stroke before a text is compiled
const OPTIONS = ["source", "language", "target", "op_level", "grf_count", "unroll_factor", "pipeline_stages", "pipeline"];
const FACTORS = ["1", "2", "4", "8"];
const PANES = ["convert-xegpu-to-xe", "assembly"];
const get = (id) => document.getElementById(id);

const known = await start();
const initial = {
  ...structuredClone(known.kernel), run_kernel: "", check: "", target: known.target, op_level: "auto", grf_count: 0, unroll_factor: 1, pipeline_stages: 1, pipeline: "",
  panes: PANES, tab: "Stages",
};
const shared = snapshot?.state ?? (await unpacked(location.hash.slice(1))) ?? {};
// What an address says is checked by the server; here, only known members with the right types count.
const state = Object.fromEntries(Object.entries(initial).map(([name, value]) =>
  [name, typeof shared[name] === typeof value && Array.isArray(shared[name]) === Array.isArray(value) ? shared[name] : value]));
const answers = snapshot?.answers ?? { compilation: null, native: null, run: null, layouts: null };
let kept = snapshot?.kept ?? null;

// Compiling -----------------------------------------------------------------------------------------------------------

let timer = 0;
let under_way = null;
let current = Promise.resolve(); // settles when the last compilation has been shown

function request() {
  return Object.fromEntries(OPTIONS.map((name) => [name, state[name]]));
}

function changed() {
  if (snapshot !== null) return;
  clearTimeout(timer);
  timer = setTimeout(compile, PAUSE);
}

function compile() {
  clearTimeout(timer);
  timer = 0;
  current = compileNow();
}

/** Returns when what is in the editor has been compiled. */
async function upToDate() {
  if (timer !== 0) compile();
  await current;
}

async function compileNow() {
  under_way?.abort();
  under_way = new AbortController();
  const { signal } = under_way;
  const begin = performance.now();
  say("Compiling …");
  history.replaceState(null, "", `#${await packed(state)}`);
  try {
    const compilation = await ask("compile", request(), signal);
    if (signal.aborted) return;
    Object.assign(answers, { compilation, native: null, run: null, layouts: null });
    show();
    const errors = compilation.diagnostics.filter((each) => each.severity === "error").length;
    const time = `${Math.round(performance.now() - begin)} ms`;
    say(errors ? `${errors} ${errors === 1 ? "error" : "errors"}, ${time}` : `Compiled in ${time}`, errors > 0);
  } catch (error) {
    failed(error);
  }
}

async function run() {
  await upToDate();
  if (answers.compilation === null) return;
  say("Running …");
  const { grid, group, check } = state;
  const begin = performance.now();
  try {
    history.replaceState(null, "", `#${await packed(state)}`);
    answers.run = await ask("run", { ...request(), ...runView.chosen, grid, group, arguments: state.arguments, check });
    show();
    const time = `${Math.round(performance.now() - begin)} ms`;
    say(answers.run.error === null ? `Ran in ${time}` : answers.run.error.split("\n")[0], answers.run.error !== null);
  } catch (error) {
    failed(error);
  }
}

async function pictures(show) {
  const { compilation } = answers;
  try {
    answers.layouts ??= await ask("layouts", request());
    if (compilation === answers.compilation) show(answers.layouts);
  } catch (error) {
    failed(error);
  }
}

async function native() {
  try {
    answers.native ??= snapshot === null ? await ask("native", request()) : { text: "It was not shown when the page was exported.", language: "text", lines: [], columns: {} };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { text: error.message, language: "text", lines: [], columns: {} };
  }
  return answers.native;
}

function failed(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Refused)) throw error;
  say(error.message, true);
}

function say(text, isError = false) {
  get("status").textContent = text;
  get("status").classList.toggle("failed", isError);
}

// Showing -------------------------------------------------------------------------------------------------------------

const editor = new TextView(get("editor"), "Kernel", (text) => {
  state.source = text;
  changed();
});

const tabs = {};

function addTab(name, show) {
  const panel = element("div", { className: "view", id: `view-${name}`, role: "tabpanel", tabIndex: 0, hidden: true, "aria-labelledby": `tab-${name}` });
  const button = element("button", { type: "button", id: `tab-${name}`, role: "tab", "aria-controls": `view-${name}`, click: () => choose(name) }, name);
  get("tabs").append(button);
  get("results").append(panel);
  tabs[name] = { panel, button, show };
  return panel;
}

function choose(name) {
  state.tab = name in tabs ? name : "Stages";
  for (const [each, { panel, button }] of Object.entries(tabs)) {
    panel.hidden = each !== state.tab;
    button.setAttribute("aria-selected", String(each === state.tab));
    button.tabIndex = each === state.tab ? 0 : -1;
  }
  if (answers.compilation !== null) tabs[state.tab].show();
}

get("tabs").addEventListener("keydown", (event) => {
  const names = Object.keys(tabs);
  const step = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
  if (step === undefined) return;
  choose(names[(names.indexOf(state.tab) + step) % names.length]);
  tabs[state.tab].button.focus();
});

const panes = new StagePanes(addTab("Stages", () => panes.show(answers.compilation)), state.panes, native, (titles) => {
  state.panes = titles;
}, snapshot === null ? ({ language, text }) => load({ language, source: text }) : null);
addTab("Binary", () => showBinary(tabs.Binary.panel, answers.compilation.binary));
const comparison = new Comparison(addTab("Compare", () => comparison.show(kept, { state, compilation: answers.compilation })), () => {
  if (answers.compilation === null) return;
  kept = { state: { ...state }, compilation: answers.compilation };
  tabs.Compare.show();
});

const runView = new RunView(addTab("Run", () => runView.show(answers.compilation, answers.run)), state, run, (line, column) => editor.go(line, column));
const layoutView = new LayoutView(addTab("Layouts", () => pictures((found) => layoutView.show(found.pictures))));
const messageView = new MessageView(addTab("Messages", () => pictures((found) => messageView.show(found.messages))), (line) => lightLine(line, null, true));

function show() {
  const { diagnostics, anchor } = answers.compilation;
  const findings = (answers.run?.findings ?? []).map((each) => ({ ...each, severity: "error" }));
  const spent = {};
  for (const { profile } of answers.run?.launches ?? []) {
    for (const [line, cycles] of Object.entries(profile?.lines ?? {})) spent[line] = (spent[line] ?? 0) + cycles;
  }
  const last = Math.max(0, ...Object.keys(spent).map(Number));
  editor.lines = anchor === null ? null : [];
  editor.mark(anchor === null ? [...diagnostics, ...findings] : []);
  editor.annotate(last && anchor === null ? { cycles: Array.from({ length: last }, (_, i) => spent[i + 1] ?? null) } : {});
  get("source-legend").textContent = last && anchor === null ? "Beside the lines: estimated cycles of all threads in the last run" : "";
  const rows = diagnostics.flatMap((each) => [each, ...each.notes]);
  get("messages").replaceChildren(...rows.map((each) => {
    const place = each.line && anchor === null ? `${each.line}:${each.column}: ` : "";
    const go = () => editor.go(each.line, each.column);
    return element("li", {}, element("button", { type: "button", className: each.severity, click: go }, `${place}${each.severity}: ${each.message}`));
  }));
  runView.follow(answers.compilation);
  tabs[state.tab].show();
}

// Options -------------------------------------------------------------------------------------------------------------

function options() {
  const set = (name, convert = (value) => value) => (value) => {
    state[name] = convert(value);
    if (name === "target") registers();
    if (name === "language") editor.fill(state.source, state.language, null);
    changed();
  };
  const examples = menu("Example", [["", "…"], ...known.examples.map((each) => each.title)], "", (title) => {
    const example = known.examples.find((each) => each.title === title);
    if (example !== undefined) load(example);
    examples.select.value = "";
  });
  const language = menu("Language", known.languages, state.language, set("language"));
  const counts = menu("Registers", [], "0", set("grf_count", Number));
  const registers = () => fill(counts.select, [["0", "auto"], ...known.targets[state.target].map(String)], String(state.grf_count));
  const pipeline = element("input", { type: "text", value: state.pipeline, size: 14, placeholder: "xe-pipeline", spellcheck: false, change: () => set("pipeline")(pipeline.value) });
  get("options").append(
    examples.label, language.label,
    menu("Target", Object.keys(known.targets), state.target, set("target")).label,
    menu("Level", known.op_levels, state.op_level, set("op_level")).label,
    counts.label,
    menu("Unroll", FACTORS, String(state.unroll_factor), set("unroll_factor", Number)).label,
    menu("Pipeline stages", FACTORS.slice(0, 3), String(state.pipeline_stages), set("pipeline_stages", Number)).label,
    element("label", {}, "Passes", pipeline),
  );
  get("options").addEventListener("submit", (event) => event.preventDefault());
  registers();
  return { language: language.select };
}

function load(example) {
  Object.assign(state, { run_kernel: "", ...structuredClone(example) });
  answers.compilation = null; // that of the kernel before
  menus.language.value = state.language;
  editor.fill(state.source, state.language, null);
  changed();
}

function actions() {
  const share = element("button", { type: "button", click: async () => {
    const address = `#${await packed(state)}`;
    history.replaceState(null, "", address);
    await navigator.clipboard.writeText(location.href).catch(() => {});
    say("The address holds the kernel and all options; it has been copied.");
  } }, "Copy the address");
  const save = element("button", { type: "button", click: async () => {
    await upToDate();
    await native();
    answers.layouts ??= await ask("layouts", request());
    const page = await exported({ start: known, state, answers, kept });
    const link = element("a", { href: URL.createObjectURL(new Blob([page], { type: "text/html" })), download: "kernel.html" });
    link.click();
    URL.revokeObjectURL(link.href);
    say("Exported as kernel.html");
  } }, "Export");
  get("actions").append(share, save);
}

const menus = options();
if (snapshot === null) actions();
else for (const control of document.querySelectorAll("#options select, #options input, #view-Run form *, .arguments input, #view-Compare button")) control.disabled = true;
editor.fill(state.source, state.language, null);
choose(state.tab);
if (snapshot === null) compile();
else {
  show();
  say("This page was exported; it shows what has been compiled.");
}
document.documentElement.dataset.ready = "true";
