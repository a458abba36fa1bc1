// Runs of a kernel: its arguments, what it computes, the errors in it, and where its time goes.

import { element, fill, shown, table } from "./dom.js";
import { heatMap, imagePicture, timeline } from "./charts.js";

const CHECKS = "all";
const HOST = "program "; // in front of the names of host functions, which are no names of kernels

/** The view of runs. */
export class RunView {
  /**
   * @param state What is run: `run_kernel`, `grid`, `group`, `arguments`, `check`.
   * @param run Is called to run it.
   * @param go Is called with a line and a column of the kernel to show.
   */
  constructor(parent, state, run, go) {
    this.state = state;
    this.go = go;
    this.sized = { kernel: null, grid: null, group: null }; // a kernel, and the sizes that it was given
    this.kernel = element("select", { change: () => this.#choose(this.kernel.value) });
    this.launch = element("select", { "aria-label": "Launch", change: () => this.#profile() });
    this.grid = sizes("Work-groups", (value) => { state.grid = this.sized.grid = value; });
    this.group = sizes("Work-items of each", (value) => { state.group = this.sized.group = value; });
    this.check = element("input", { type: "checkbox", change: () => { state.check = this.check.checked ? CHECKS : ""; } });
    this.rows = element("div", { className: "arguments" });
    this.button = element("button", { type: "submit" }, "Run");
    const form = element("form", { "aria-label": "How to run", submit: (event) => {
      event.preventDefault();
      run();
    } }, element("label", {}, "Kernel", this.kernel), this.grid.label, this.group.label,
    element("label", {}, this.check, "Check for bugs"), this.button);
    this.results = element("div", { id: "run-results" });
    parent.append(form, this.rows, this.results);
  }

  /** Shows the kernels and host functions of a compilation with their arguments, and the answer to the last run. */
  show(compilation, answer) {
    this.follow(compilation);
    this.#results(answer);
  }

  /** Proposes arguments for what another compilation has; it is told of each, whether it is shown or not. */
  follow(compilation) {
    const host = compilation.programs.map((each) => [`${HOST}${each.name}`, `${each.name} (host program)`, each]);
    const kernels = (compilation.binary?.kernels ?? []).map((each) => [each.name, each.name, each]);
    const isMain = ([value]) => value === `${HOST}main`;
    const choices = [...host.filter(isMain), ...kernels, ...host.filter((each) => !isMain(each))];
    this.compilation = compilation;
    fill(this.kernel, choices.map(([value, label]) => [value, label]), this.state.run_kernel);
    const isHost = this.kernel.value.startsWith(HOST);
    const chosen = choices.find(([value]) => value === this.kernel.value)?.[2];
    const parameters = (chosen?.arguments ?? []).map((text, number) => [text, chosen.proposals[number]]).filter((each) => isHost || isParameter(each));
    this.parameters = parameters.map(([text]) => text);
    this.proposals = parameters.map(([, value]) => value);
    if (choices.length > 0) this.#size(chosen);
    for (const [field, sizes] of [[this.grid, this.state.grid], [this.group, this.state.group]]) {
      field.input.value = sizes.join(", ");
      field.label.hidden = isHost;
    }
    this.check.checked = this.state.check !== "";
    if (choices.length > 0) this.#keep(this.parameters);
    this.rows.replaceChildren(...this.parameters.map((text, number) => this.#argument(text, number)));
  }

  /** Forgets the sizes of an earlier kernel for those that another one states; sizes that come with a kernel stay. */
  #size(chosen) {
    const kernel = [this.kernel.value, ...this.parameters].join();
    const [grid, group] = [chosen?.grid ?? [], chosen?.group ?? []];
    const isOther = this.sized.kernel !== null && this.sized.kernel !== kernel;
    const isStale = isOther && this.state.grid === this.sized.grid && this.state.group === this.sized.group;
    if (isStale || (!this.state.grid.length && !this.state.group.length)) Object.assign(this.state, { grid, group });
    this.sized = { kernel, grid: this.state.grid, group: this.state.group };
  }

  /** Forgets the arguments of an earlier kernel: what is given stays where neither its place nor its type changes. */
  #keep(parameters) {
    const given = this.state.arguments;
    const same = (text, number) => given !== this.given || text === this.known[number];
    this.state.arguments = this.given = parameters.map((text, number) => (same(text, number) ? given[number] : undefined));
    this.known = parameters;
  }

  /** What is run: the names of a kernel and a host function, one of which is empty. */
  get chosen() {
    const name = this.kernel.value;
    return name.startsWith(HOST) ? { program: name.slice(HOST.length), kernel: "" } : { program: "", kernel: name };
  }

  #choose(name) {
    this.state.run_kernel = name;
    this.state.arguments = [];
    this.show(this.compilation, null);
  }

  #argument(text, number) {
    const [name, type] = text.split(/: (.*)/);
    this.state.arguments[number] ??= this.proposals[number];
    const change = (event) => { this.state.arguments[number] = event.target.value; };
    const input = element("input", { type: "text", size: 36, value: this.state.arguments[number], spellcheck: false, change });
    return element("div", { className: "row" }, element("label", {}, name, input), element("code", {}, type.replace(/;\d+$/, "")));
  }

  #results(answer) {
    if (answer === null) {
      this.results.replaceChildren();
      return;
    }
    const parts = [];
    if (answer.error !== null && !answer.findings.length) parts.push(element("pre", { className: "error" }, answer.error));
    for (const finding of answer.findings) {
      const place = element("button", { type: "button", click: () => this.go(finding.line, finding.column) }, `line ${finding.line}`);
      parts.push(element("div", { className: "finding" }, place, element("pre", {}, finding.message)));
    }
    if (answer.printed) parts.push(element("h3", {}, "Printed"), element("pre", {}, answer.printed));
    const drawn = answer.results.map((result) => (result.colours === undefined ? heatMap(result) : imagePicture(result)));
    if (drawn.length) parts.push(element("p", { className: "legend" }, "In heat maps, numbers below zero are blue, those above are orange, and others than finite ones grey."));
    parts.push(element("div", { className: "arrays" }, ...drawn));
    this.launches = answer.launches;
    this.profile = element("div");
    fill(this.launch, answer.launches.map((each, number) => [`${number}`, each.summary]), this.launch.value);
    const hidden = answer.launch_count - answer.launches.length;
    if (answer.launches.length > 1) parts.push(element("h3", {}, "Launches"), this.launch);
    if (hidden > 0) parts.push(element("p", {}, `${hidden} more launches are not shown.`));
    parts.push(this.profile);
    this.results.replaceChildren(...parts);
    this.#profile();
  }

  /** Shows the profile of the chosen launch. */
  #profile() {
    const launch = this.launches[Number(this.launch.value)];
    if (launch === undefined) return;
    const summary = element("p", {}, launch.summary);
    this.profile.replaceChildren(...(this.launches.length === 1 ? [summary] : []), ...(launch.profile === null ? [] : profile(launch.profile)));
  }
}

function isParameter([text]) {
  // Sizes, strides and offsets of a memref follow its pointer, under its name; a run fills them in.
  return !text.split(":")[0].includes(".");
}

function sizes(label, change) {
  const input = element("input", { type: "text", size: 10, inputMode: "numeric", change: () => {
    change(input.value.split(/[\s,x]+/).filter((word) => word !== "").map(Number));
  } });
  return { label: element("label", {}, label, input), input };
}

function profile(found) {
  const { estimate } = found;
  const percent = (part) => `${shown(100 * part)} %`;
  const rows = [
    ["estimated cycles", estimate.cycles], ["estimated time", `${shown(1e6 * estimate.seconds)} µs`], ["bound by", estimate.bound],
    ["registers live", `${found.registers.live} of ${found.registers.available}`], ["channels on", percent(found.channels_on)],
    ...Object.entries(found.utilisation).map(([pipe, part]) => [`pipe ${pipe} busy`, percent(part)]),
  ];
  const memory = found.memory.map((each) => [each.space, each.access, each.messages, each.bytes]);
  const roofline = element("div", { className: "pictures" });
  roofline.innerHTML = found.roofline; // drawn by the server, which escapes all names
  return [
    table("Profile", ["", "value"], rows), table("Memory", ["space", "access", "messages", "bytes"], memory),
    ...(found.roofline ? [element("h3", {}, "Roofline"), roofline] : []), element("h3", {}, "Timeline"), timeline(found.timeline),
  ];
}
