// Pictures of block-2D messages: a block in its surface, and the byte of which register each element is in.

import { described } from "./charts.js";
import { element, fill } from "./dom.js";
import { hue } from "./layouts.js";

const CELL = 24; // pixels of the largest element
const WIDTH = 768; // pixels of the largest picture
const NAMES = 40; // pixels of the names of registers, at least
const MARGIN = 1; // elements around a block that are drawn
const LABELLED = 20; // pixels of the smallest element with a label
const OUTSIDE = "#d5d5d5";

/** The view of messages. */
export class MessageView {
  /** @param light Is called with the line of the source that a message comes from. */
  constructor(parent, light) {
    this.light = light;
    this.chosen = "";
    this.select = element("select", { change: () => {
      this.chosen = this.select.value;
      this.#place();
    } });
    this.numbers = Object.fromEntries(["Surface rows", "Surface columns", "Row of the block", "Column of the block"].map((label) => {
      const input = element("input", { type: "number", size: 5, change: () => this.#draw() });
      return [label, { input, label: element("label", {}, label, input) }];
    }));
    this.picture = element("div");
    parent.append(element("div", { className: "row" }, element("label", {}, "Message", this.select)),
      element("div", { className: "row" }, ...Object.values(this.numbers).map((each) => each.label)), this.picture);
  }

  /** Shows the messages of a kernel. */
  show(messages) {
    this.messages = new Map(messages.map((each, number) => [`${number}`, each]));
    const earlier = this.chosen;
    fill(this.select, [...this.messages].map(([number, each]) => [number, each.line ? `${each.name} (line ${each.line})` : each.name]), this.chosen);
    this.chosen = this.select.value;
    if (this.chosen !== earlier || this.shape !== shapeOf(this.messages.get(this.chosen))) this.#place();
    else this.#draw();
  }

  /** Puts the block of a message into the corner of a surface with room for it. */
  #place() {
    const found = this.messages.get(this.chosen);
    this.shape = shapeOf(found);
    if (found !== undefined) {
      const set = (label, value) => { this.numbers[label].input.value = value; };
      set("Surface rows", 2 * found.rows);
      set("Surface columns", 2 * found.columns * found.blocks);
      set("Row of the block", 0);
      set("Column of the block", 0);
      this.light(found.line);
    }
    this.#draw();
  }

  #draw() {
    const found = this.messages.get(this.chosen);
    if (found === undefined) {
      this.picture.replaceChildren("The kernel has no block-2D messages.");
      return;
    }
    const [height, width, y, x] = Object.values(this.numbers).map(({ input }) => Math.trunc(Number(input.value)) || 0);
    const elements = elementsOf(found, { height, width, y, x });
    const clipped = elements.filter((each) => !each.isInside).length;
    const what = clipped === 0 ? "all inside of the surface"
      : `${clipped} outside of the surface: ${found.access === "store" ? "not written" : "zeros in the registers"}`;
    const across = found.columns * found.blocks;
    const blocks = found.blocks === 1 ? "a block" : `${found.blocks} blocks`;
    const size = `${found.rows}x${found.columns} elements of ${found.size} ${found.size === 1 ? "byte" : "bytes"}`;
    const parts = [];
    const chosen = { number: null };
    const both = [];
    const mark = (number) => {
      if (chosen.number === number) return;
      chosen.number = number;
      for (const canvas of both) canvas.again();
    };
    const note = (each) => {
      mark(each?.number ?? null);
      return each === undefined ? "" : placed(found, each);
    };
    const colour = (each) => (each.isInside ? hue(each.register ?? 0) : OUTSIDE);

    const cell = Math.min(CELL, WIDTH / (across + 2 * MARGIN));
    const surface = (context) => {
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, (across + 2 * MARGIN) * cell, (found.rows + 2 * MARGIN) * cell);
      context.strokeStyle = "#bbbbbb";
      for (let row = -MARGIN; row < found.rows + MARGIN; row += 1) {
        for (let column = -MARGIN; column < across + MARGIN; column += 1) {
          if (isInside(y + row, x + column, height, width)) context.strokeRect((column + MARGIN) * cell, (row + MARGIN) * cell, cell, cell);
        }
      }
      for (const each of elements) {
        box(context, (each.j + MARGIN) * cell, (each.i + MARGIN) * cell, cell, cell, colour(each), `${each.i},${each.j}`, chosen.number === each.number);
      }
      context.strokeStyle = "#000000";
      context.lineWidth = 3;
      context.strokeRect((MARGIN - x) * cell, (MARGIN - y) * cell, width * cell, height * cell);
      context.lineWidth = 1;
    };
    const elementAt = (px, py) => elements.find((each) => each.i + MARGIN === Math.floor(py / cell) && each.j + MARGIN === Math.floor(px / cell));
    const memory = `${found.access} of ${blocks} of ${size}, ${what}. The thick line is the edge of the surface.`;
    parts.push(figure(memory, (across + 2 * MARGIN) * cell, (found.rows + 2 * MARGIN) * cell, [cell, cell], surface,
      (px, py) => note(px === null ? undefined : elementAt(px, py)), both));

    if (found.register !== null) {
      const slots = found.grf_bytes / found.size;
      const slot = Math.min(CELL, WIDTH / slots);
      const left = Math.ceil(NAMES / slot) * slot;
      const count = Math.ceil(found.bytes / found.grf_bytes);
      const by_place = new Map(elements.map((each) => [each.place / found.size, each]));
      const registers = (context) => {
        context.fillStyle = "#ffffff";
        context.fillRect(0, 0, left + slots * slot, count * CELL);
        for (let row = 0; row < count; row += 1) {
          label(context, left / 2, (row + 0.5) * CELL, `r${found.register + row}`, 11);
          for (let column = 0; column < slots; column += 1) {
            const each = by_place.get(row * slots + column);
            const text = each === undefined ? "" : `${each.i},${each.j}`;
            box(context, left + column * slot, row * CELL, slot, CELL, each === undefined ? "#ffffff" : colour(each), text, each !== undefined && chosen.number === each.number);
          }
        }
      };
      const caption = `Registers r${found.register} to r${found.register + count - 1} of ${found.grf_bytes} bytes, ${found.form}: a colour for each register, the row and the column of each element in the block. Grey elements are outside of the surface.`;
      parts.push(figure(caption, left + slots * slot, count * CELL, [slot, CELL], registers,
        (px, py) => note(px === null || px < left ? undefined : by_place.get(Math.floor(py / CELL) * slots + Math.floor((px - left) / slot))), both));
    }
    this.picture.replaceChildren(...parts);
  }
}

function shapeOf(message) {
  return message === undefined ? "" : [message.rows, message.columns, message.blocks, message.size].join("x");
}

function isInside(row, column, height, width) {
  return row >= 0 && row < height && column >= 0 && column < width;
}

/** Returns the elements of a message with their places in the block, the surface and the registers. */
function elementsOf(found, { height, width, y, x }) {
  const across = found.columns * found.blocks;
  return Array.from({ length: found.rows * across }, (_, number) => {
    const [i, j] = [Math.floor(number / across), number % across];
    const place = found.places[number];
    const register = place === undefined ? undefined : found.register + Math.floor(place / found.grf_bytes);
    return { number, i, j, row: y + i, column: x + j, place, register, isInside: isInside(y + i, x + j, height, width) };
  });
}

/** Returns where an element is: in the surface, in the block, and in the registers. */
function placed(found, each) {
  const which = found.blocks === 1 ? "" : ` of block ${Math.floor(each.j / found.columns)}`;
  const where = `row ${each.row}, column ${each.column} of the surface (element [${each.i}, ${each.j % found.columns}]${which})`;
  const address = each.isInside ? `address base + ${each.row} × pitch + ${each.column * found.size}` : "outside of the surface";
  const first = each.place === undefined ? 0 : each.place % found.grf_bytes;
  const bytes = found.size === 1 ? `byte ${first}` : `bytes ${first} to ${first + found.size - 1}`;
  const register = each.register === undefined ? "in no register" : `register r${each.register}, ${bytes}`;
  return `${where}: ${register}; ${address}`;
}

function figure(caption, width, height, cell, draw, describe, both) {
  const [readout, canvas] = described(caption, width, height, cell, draw, describe);
  both.push({ again: () => draw(canvas.getContext("2d")) });
  return element("figure", {}, element("figcaption", {}, caption), readout, canvas);
}

function box(context, x, y, width, height, colour, text, isChosen) {
  context.fillStyle = isChosen ? "#ffe45c" : colour;
  context.fillRect(x, y, width, height);
  context.strokeStyle = "#777777";
  context.strokeRect(x, y, width, height);
  if (width >= LABELLED && text !== "") label(context, x + width / 2, y + height / 2, text, text.length > 4 ? 8 : 9);
}

function label(context, x, y, text, points) {
  context.font = `${points}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = "#000000";
  context.fillText(text, x, y);
}
