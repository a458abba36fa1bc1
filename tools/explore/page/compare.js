// Two versions of a kernel: their texts, and what they cost.

import { EditorState, EditorView, MergeView, lineNumbers } from "./vendor/codemirror.js";
import { element, fill, table } from "./dom.js";
import { colours } from "./syntax.js";
import { resolved } from "./stages.js";

const SOURCE = "source";

/** The comparison of a version that has been kept with the one in the editor. */
export class Comparison {
  /** @param keep Is called to keep the version in the editor. */
  constructor(parent, keep) {
    this.stage = SOURCE;
    this.select = element("select", { change: () => this.#chosen() });
    const label = element("label", {}, "Text of", this.select);
    const button = element("button", { type: "button", click: keep }, "Keep this version for comparison");
    this.figures = element("div");
    this.texts = element("div");
    parent.append(element("div", { className: "row" }, button, label), this.figures, this.texts);
  }

  /** Shows versions: objects with `state` and `compilation`; the first is null if none has been kept. */
  show(kept, current) {
    this.versions = [kept, current];
    if (kept === null) {
      this.figures.replaceChildren(element("p", {}, "Keep a version, and then change the kernel or its options."));
      this.texts.replaceChildren();
      return;
    }
    fill(this.select, [SOURCE, ...current.compilation.stages.map((stage) => stage.title)], this.stage);
    this.figures.replaceChildren(...costs(kept.compilation.binary, current.compilation.binary));
    this.#compare();
  }

  #chosen() {
    this.stage = this.select.value;
    this.#compare();
  }

  #compare() {
    const side = ({ state, compilation }) => {
      const stage = resolved(compilation.stages).find((each) => each.title === this.stage);
      const { text, language } = this.stage === SOURCE ? { text: state.source, language: state.language } : (stage ?? { text: "", language: "text" });
      return { doc: text, extensions: [lineNumbers(), EditorState.readOnly.of(true), EditorView.lineWrapping, colours(language),
        EditorView.contentAttributes.of({ "aria-label": `${this.stage}, to compare` })] };
    };
    const [a, b] = this.versions.map(side);
    this.texts.replaceChildren();
    new MergeView({ a, b, parent: this.texts, collapseUnchanged: { margin: 3, minSize: 6 } });
  }
}

function costs(before, after) {
  if (before === null || after === null) return [element("p", {}, "One of the versions has no binary.")];
  const tables = [];
  for (const kernel of after.kernels) {
    const old = before.kernels.find((each) => each.name === kernel.name);
    if (old === undefined) continue;
    const total = (each) => Object.values(each.mnemonics).reduce((sum, count) => sum + count, 0);
    const rows = [
      ["instructions", total(old), total(kernel)], ["registers live", old.registers, kernel.registers],
      ["registers of a thread", old.grf_count, kernel.grf_count], ["spilled bytes", old.spill_bytes, kernel.spill_bytes],
      ["estimated cycles of a thread", old.cycles, kernel.cycles],
    ];
    const names = [...new Set([...Object.keys(old.mnemonics), ...Object.keys(kernel.mnemonics)])].sort();
    for (const name of names) rows.push([name, old.mnemonics[name] ?? 0, kernel.mnemonics[name] ?? 0]);
    const difference = ([name, a, b]) => [name, a, b, a === null || b === null ? null : b - a];
    tables.push(table(`Kernel ${kernel.name}`, ["", "kept", "now", "difference"], rows.map(difference)));
  }
  return tables.length ? tables : [element("p", {}, "The versions have no kernel of the same name.")];
}
