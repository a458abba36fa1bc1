// The stages of a compilation, side by side.

import { element, fill } from "./dom.js";
import { TextView } from "./editors.js";

const NATIVE = "native code";
const CODE = "assembly";
const WRITTEN = "code"; // the stage of a source in assembly, which is not compiled

/** Returns the stages with texts in place of those that are the same as before. */
export function resolved(stages) {
  const found = [];
  for (const stage of stages) {
    const last = found.at(-1);
    found.push(stage.same && last ? { ...last, title: stage.title, same: true } : stage);
  }
  return found;
}

/** Panes, each of which shows one stage. */
export class StagePanes {
  /**
   * @param parent The element that holds the panes.
   * @param titles The titles of the stages that are shown.
   * @param native Returns a promise of the stage of native code.
   * @param changed Is called with the titles when a pane changes.
   * @param edit Is called with a stage's text as a source, and its language, to edit it; null where nothing is edited.
   */
  constructor(parent, titles, native, changed, edit) {
    this.edit = edit;
    this.native = native;
    this.changed = changed;
    this.stages = [];
    this.panes = [];
    this.holder = element("div", { className: "panes" });
    const add = element("button", { type: "button", click: () => this.#opened(CODE) }, "Add a pane");
    parent.append(element("div", { className: "row bar" }, add), this.holder);
    parent.className += " stages";
    for (const title of titles) this.#open(title);
  }

  get titles() {
    return this.panes.map((pane) => pane.title);
  }

  /** Shows the stages of a compilation. */
  show(compilation) {
    this.stages = resolved(compilation.stages);
    this.hasNative = compilation.binary !== null && compilation.stages[0].title !== WRITTEN;
    this.failed = compilation.diagnostics.some((each) => each.severity === "error");
    for (const pane of this.panes) this.#refresh(pane);
  }

  #opened(title) {
    this.#open(title);
    this.changed(this.titles);
  }

  #open(title) {
    const pane = { title };
    pane.select = element("select", {
      "aria-label": `Stage of pane ${this.panes.length + 1}`,
      change: () => {
        pane.title = pane.select.value;
        this.#refresh(pane);
        this.changed(this.titles);
      },
    });
    const close = element("button", { type: "button", "aria-label": "Close this pane", click: () => this.#close(pane) }, "×");
    const text = element("div", { className: "text" });
    pane.legend = element("span", { className: "legend" });
    pane.edit = element("button", { type: "button", hidden: true, title: "Take this text as the kernel", click: () => this.edit(pane.source) }, "Edit");
    pane.element = element("div", { className: "pane" }, element("div", { className: "row" }, pane.select, pane.edit, close, pane.legend), text);
    this.holder.append(pane.element);
    pane.view = new TextView(text, `Stage ${this.panes.length + 1}`);
    this.panes.push(pane);
    this.#refresh(pane);
  }

  #close(pane) {
    pane.view.close();
    pane.element.remove();
    this.panes = this.panes.filter((each) => each !== pane);
    this.changed(this.titles);
  }

  async #refresh(pane) {
    const titles = this.stages.map((stage) => [stage.title, stage.same ? `${stage.title} (no change)` : stage.title]);
    if (this.hasNative) titles.push([NATIVE, NATIVE]);
    // A stage that a failed compilation lacks stays chosen for the next one; another language has other stages.
    if (!this.failed && titles.length && !titles.some(([title]) => title === pane.title)) pane.title = titles.find(([title]) => [CODE, WRITTEN].includes(title))?.[0] ?? titles.at(-1)[0];
    if (!titles.some(([title]) => title === pane.title)) titles.push([pane.title, `${pane.title} (not reached)`]);
    fill(pane.select, titles, pane.title);
    let stage = this.stages.find((each) => each.title === pane.title);
    if (stage === undefined && pane.title === NATIVE && this.hasNative) {
      const shown = this.stages;
      pane.edit.hidden = true; // until its text is known
      stage = await this.native();
      if (pane.title !== NATIVE || this.stages !== shown) return;
    }
    const names = Object.keys(stage?.columns ?? {});
    pane.legend.textContent = names.length ? `Beside the lines: ${names.join(", ")}` : "";
    pane.source = stage?.source;
    pane.edit.hidden = pane.source === undefined || this.edit === null;
    if (stage === undefined) pane.view.fill("", "text", []);
    else pane.view.fill(stage.text, stage.language, stage.lines, stage.columns);
  }
}
