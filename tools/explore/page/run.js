// Runs of a kernel: its arguments, what it computes, the errors in it, and where its time goes.

import { element, fill, shown, table } from "./dom.js";
import { heatMap, timeline } from "./charts.js";

const CHECKS = "all";

/** The view of runs. */
export class RunView {
  /**
   * @param state What is run: `kernel`, `grid`, `group`, `arguments`, `check`.
   * @param run Is called to run it.
   * @param go Is called with a line and a column of the kernel to show.
   */
  constructor(parent, state, run, go) {
    this.state = state;
    this.go = go;
    this.kernel = element("select", { change: () => this.#choose(this.kernel.value) });
    this.grid = sizes("Work-groups", (value) => { state.grid = value; });
    this.group = sizes("Work-items of each", (value) => { state.group = value; });
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

  /** Shows the arguments of the kernels of a binary, and the answer to the last run. */
  show(binary, answer) {
    const kernels = binary?.kernels ?? [];
    fill(this.kernel, kernels.map((kernel) => kernel.name), this.state.run_kernel);
    this.grid.input.value = this.state.grid.join(", ");
    this.group.input.value = this.state.group.join(", ");
    this.check.checked = this.state.check !== "";
    this.parameters = kernels.find((kernel) => kernel.name === this.kernel.value)?.arguments.filter(isParameter) ?? [];
    this.rows.replaceChildren(...this.parameters.map((text, number) => this.#argument(text, number)));
    this.state.arguments.length = this.parameters.length;
    this.#results(answer);
  }

  #choose(name) {
    this.state.run_kernel = name;
    this.state.arguments = [];
    this.show(this.binary, null);
  }

  #argument(text, number) {
    const [name, type] = text.split(/: (.*)/);
    this.state.arguments[number] ??= proposed(type, number === this.parameters.length - 1);
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
    if (answer.summary) parts.push(element("p", {}, answer.summary));
    for (const array of answer.results) parts.push(heatMap(array));
    if (answer.profile) parts.push(...profile(answer.profile));
    this.results.replaceChildren(...parts);
  }
}

function isParameter(text) {
  // Sizes, strides and offsets of a memref follow its pointer, under its name; a run fills them in.
  return !text.split(":")[0].includes(".");
}

function sizes(label, change) {
  const input = element("input", { type: "text", size: 10, inputMode: "numeric", change: () => {
    change(input.value.split(/[\s,x]+/).filter((word) => word !== "").map(Number));
  } });
  return { label: element("label", {}, label, input), input };
}

/** Returns a value for an argument of a type, as `xegpu-run --arg` takes it. */
function proposed(type, isLast) {
  const memref = /^memref<((?:[\d?]+x)+)(\w+)/.exec(type);
  if (memref !== null) return `${isLast ? "zeros" : "random"}:${memref[1].replaceAll("?", "64")}${memref[2]}`;
  if (/ptr|\*/.test(type)) return "zeros:1024xf32";
  return `${type.replace(/;\d+$/, "")}:1`;
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
    element("h3", {}, "Roofline"), roofline, element("h3", {}, "Timeline"), timeline(found.timeline),
  ];
}
