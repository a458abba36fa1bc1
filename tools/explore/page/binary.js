// The ZEBIN: a tree of its parts, the bytes of each, and the registers in which threads start.

import { element, table } from "./dom.js";

const ROW = 16;
const MOST_ROWS = 4096;

/** Shows the binary of a compilation in an element. */
export function showBinary(parent, binary) {
  if (binary === null) {
    parent.replaceChildren("There is no binary.");
    return;
  }
  const bytes = Uint8Array.from(atob(binary.bytes), (letter) => letter.charCodeAt(0));
  const dump = element("pre", { className: "bytes", tabIndex: 0, role: "region", "aria-label": "Bytes" });
  const tree = element("div", { className: "tree" }, branch(binary.parts, (part, button) => {
    for (const old of tree.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    dump.replaceChildren(...dumped(bytes, part));
  }));
  const kernels = table("Kernels", ["kernel", "registers live", "of", "spilled bytes", "cycles of a thread"],
    binary.kernels.map((kernel) => [kernel.name, kernel.registers, kernel.grf_count, kernel.spill_bytes, kernel.cycles]));
  const payload = element("div", { className: "pictures" });
  payload.innerHTML = binary.payload; // drawn by the server, which escapes all names
  const file = element("div", {}, element("h3", {}, `${binary.size} bytes`), tree);
  parent.replaceChildren(element("div", { className: "split" }, file,
    element("div", {}, dump, kernels, element("h3", {}, "Registers at the start of a thread"), payload)));
  dump.replaceChildren(...dumped(bytes, binary.parts[0]));
}

function branch(parts, choose) {
  return element("ul", {}, ...parts.map((part) => {
    const button = element("button", { type: "button", click: () => choose(part, button) },
      `${part.start.toString(16).padStart(5, "0")}  ${part.name}`);
    button.title = `${part.content}, ${part.end - part.start} bytes`;
    if (!part.parts.length) return element("li", {}, button);
    return element("li", {}, button, element("details", {}, element("summary", {}, `${part.parts.length} instructions`),
      branch(part.parts, choose)));
  }));
}

/** Returns the lines of a dump, with the bytes of a part marked. */
function dumped(bytes, part) {
  const lines = [];
  const first = Math.floor(part.start / ROW) * ROW;
  const end = Math.min(part.end, bytes.length, first + ROW * MOST_ROWS);
  for (let start = first; start < end; start += ROW) {
    lines.push(`${start.toString(16).padStart(8, "0")}  `);
    const row = Array.from(bytes.subarray(start, start + ROW));
    const words = row.map((byte) => byte.toString(16).padStart(2, "0"));
    const from = Math.max(part.start - start, 0);
    const to = Math.min(part.end - start, ROW);
    const pad = (some) => (some.length ? `${some.join(" ")} ` : "");
    lines.push(pad(words.slice(0, from)), element("mark", {}, pad(words.slice(from, to))), pad(words.slice(to)));
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${" ".repeat(3 * (ROW - row.length))} ${letters}\n`);
  }
  if (end < Math.min(part.end, bytes.length)) lines.push("...\n");
  return lines;
}
