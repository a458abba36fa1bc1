// Editors and views of text, whose lines light up together.

import {
  Compartment, Decoration, EditorState, EditorView, GutterMarker, StateEffect, StateField, bracketMatching, defaultKeymap,
  drawSelection, gutter, highlightActiveLine, highlightSpecialChars, history, historyKeymap, keymap, lineNumbers, lintGutter,
  lintKeymap, search, searchKeymap, setDiagnostics,
} from "./vendor/codemirror.js";
import { colours } from "./syntax.js";

const light = StateEffect.define();
const lit = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(light)) return effect.value;
    return found.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
const LIT = Decoration.line({ class: "linked" });

const views = new Set();

/** Lights the lines that come from a line of the source, in all views; a view may scroll to them. */
export function lightLine(line, origin, scroll) {
  for (const view of views) view.light(line, scroll && view !== origin);
}

class Figure extends GutterMarker {
  constructor(text, share) {
    super();
    this.text = text;
    this.share = share;
  }
  eq(other) {
    return this.text === other.text && this.share === other.share;
  }
  toDOM() {
    const made = document.createElement("span");
    made.className = "figure";
    made.textContent = this.text;
    made.style.setProperty("--share", `${this.share}%`);
    return made;
  }
}

/** A view of a text: read only, unless it is told of changes. */
export class TextView {
  /** Shows a text in an element, under a name for those who do not see it. */
  constructor(parent, name, changed = null) {
    this.lines = null;
    this.language = new Compartment();
    this.figures = new Compartment();
    const extensions = [
      lineNumbers(), this.figures.of([]), highlightSpecialChars(), drawSelection(), highlightActiveLine(), search({ top: true }),
      lit, this.language.of([]), EditorView.contentAttributes.of({ "aria-label": name }),
      EditorView.domEventHandlers({
        mousemove: (event, view) => this.#over(view.posAtCoords({ x: event.clientX, y: event.clientY }), false),
        mouseleave: () => lightLine(0, this, false),
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && changed !== null && !this.isFilled) changed(update.state.doc.toString());
        if (update.selectionSet && update.view.hasFocus) this.#over(update.state.selection.main.head, true);
      }),
    ];
    if (changed === null) {
      extensions.push(EditorState.readOnly.of(true), keymap.of([...defaultKeymap, ...searchKeymap]));
    } else {
      // Tab leaves the editor, as it does everywhere else on the page.
      const keys = [...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap];
      extensions.push(history(), bracketMatching(), lintGutter(), keymap.of(keys));
    }
    this.editor = new EditorView({ parent, state: EditorState.create({ extensions }) });
    views.add(this);
  }

  /** Ends the view. */
  close() {
    views.delete(this);
    this.editor.destroy();
  }

  get text() {
    return this.editor.state.doc.toString();
  }

  /** Shows a text. Its lines come from those lines of the source; null if it is the source itself. */
  fill(text, language, lines, columns = {}) {
    this.lines = lines;
    const changes = text === this.text ? [] : { from: 0, to: this.editor.state.doc.length, insert: text };
    const effects = [this.language.reconfigure(colours(language)), this.figures.reconfigure(gutters(columns))];
    this.isFilled = true;
    this.editor.dispatch({ changes, effects });
    this.isFilled = false;
  }

  /** Shows numbers beside the lines: of each column, a number for each line, or null. */
  annotate(columns) {
    this.editor.dispatch({ effects: this.figures.reconfigure(gutters(columns)) });
  }

  /** Lights the lines that come from a line of the source; none for line 0. */
  light(line, scroll) {
    const { doc } = this.editor.state;
    const found = line === 0 ? [] : this.lines === null ? [line] : [...this.lines.keys()].filter((i) => this.lines[i] === line).map((i) => i + 1);
    const ranges = found.filter((number) => number <= doc.lines).map((number) => LIT.range(doc.line(number).from));
    const effects = [light.of(Decoration.set(ranges))];
    if (scroll && ranges.length) effects.push(EditorView.scrollIntoView(ranges[0].from, { y: "center" }));
    this.editor.dispatch({ effects });
  }

  /** Shows messages at their places. */
  mark(messages) {
    const { doc } = this.editor.state;
    const found = messages.filter((each) => each.line >= 1 && each.line <= doc.lines).map((each) => {
      const line = doc.line(each.line);
      const from = Math.min(line.from + Math.max(each.column - 1, 0), line.to);
      const word = /^[\w%@^#!$.]+/.exec(doc.sliceString(from, line.to));
      const severity = each.severity === "error" ? "error" : each.severity === "warning" ? "warning" : "info";
      return { from, to: Math.min(from + (word ? word[0].length : 1), line.to), severity, message: each.message };
    });
    this.editor.dispatch(setDiagnostics(this.editor.state, found.sort((a, b) => a.from - b.from)));
  }

  /** Puts the cursor at a place, and the focus into the view. */
  go(line, column) {
    const { doc } = this.editor.state;
    if (line < 1 || line > doc.lines) return;
    const start = doc.line(line);
    const anchor = Math.min(start.from + Math.max(column - 1, 0), start.to);
    this.editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.editor.focus();
  }

  #over(position, scroll) {
    if (position === null) return;
    const number = this.editor.state.doc.lineAt(position).number;
    lightLine(this.lines === null ? number : (this.lines[number - 1] ?? 0), this, scroll);
  }
}

/** Returns a gutter for each column of numbers. */
function gutters(columns) {
  return Object.entries(columns).map(([name, values]) => {
    const most = Math.max(1, ...values.map((value) => value ?? 0));
    return gutter({
      class: "cm-figures",
      lineMarker(view, line) {
        const value = values[view.state.doc.lineAt(line.from).number - 1];
        return value === null || value === undefined ? null : new Figure(String(value), Math.round((100 * value) / most));
      },
      initialSpacer: () => new Figure(name, 0),
      renderEmptyElements: false,
    });
  });
}
