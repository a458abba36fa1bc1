// Pictures of tiles: which lane, subgroup or register has each element.

import { described } from "./charts.js";
import { element, fill } from "./dom.js";

const WIDTH = 720; // pixels of the largest picture
const CELL = 28; // pixels of the largest element
const GOLDEN = 137.508; // degrees between the hues of neighbouring owners

/** Returns the colour of one of those that have something. */
export function hue(owner) {
  return `hsl(${(owner * GOLDEN) % 360} 70% 80%)`;
}

/** The view of layouts. */
export class LayoutView {
  constructor(parent) {
    this.chosen = "";
    this.select = element("select", { change: () => {
      this.chosen = this.select.value;
      this.#draw();
    } });
    this.picture = element("div");
    const label = element("label", {}, "Value", this.select);
    parent.append(element("div", { className: "row" }, label), this.picture);
  }

  /** Shows the pictures of a kernel. */
  show(pictures) {
    this.pictures = new Map(pictures.map((each) => [`${each.title} by ${each.owners}`, each]));
    fill(this.select, [...this.pictures].map(([name, each]) => [name, `${name} (${each.stage})`]), this.chosen);
    this.chosen = this.select.value;
    this.#draw();
  }

  #draw() {
    const found = this.pictures.get(this.chosen);
    if (found === undefined) {
      this.picture.replaceChildren("The kernel has no tiles, and no values with a layout.");
      return;
    }
    const { rows, columns, size, owners, boxes } = found;
    const cell = Math.min(CELL, WIDTH / columns, WIDTH / rows);
    const count = new Set(boxes.flatMap((box) => box[4])).size;
    const label = `${rows}x${columns} elements of ${size} ${size === 1 ? "byte" : "bytes"}; colours and numbers are those of the ${count} ${owners}${count === 1 ? "" : "s"}`;
    const draw = (context) => {
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.lineWidth = Math.min(1, cell / 8);
      for (const [row, column, height, width, who] of boxes) {
        context.fillStyle = hue(who[0]);
        context.fillRect(column * cell, row * cell, width * cell, height * cell);
        context.strokeStyle = "#444444";
        context.strokeRect(column * cell, row * cell, width * cell, height * cell);
        const text = who.join(" ");
        const points = Math.floor(Math.min(11, 0.8 * height * cell, (1.5 * width * cell) / text.length));
        if (points < 7) continue;
        context.font = `${points}px sans-serif`;
        context.fillStyle = "#000000";
        context.fillText(text, (column + width / 2) * cell, (row + height / 2) * cell);
      }
    };
    const describe = (x, y) => {
      const [i, j] = [Math.floor(y / cell), Math.floor(x / cell)];
      const box = boxes.find(([row, column, height, width]) => i >= row && i < row + height && j >= column && j < column + width);
      return box === undefined ? "" : placed(found, box, i, j);
    };
    this.picture.replaceChildren(element("figure", {}, element("figcaption", {}, label),
      ...described(label, columns * cell, rows * cell, [cell, cell], draw, describe)));
  }
}

/** Returns where an element is: its owners, its register and its address. */
function placed({ owners, size, grf_bytes }, [row, column, , width, who, start], i, j) {
  const own = start + ((i - row) * width + (j - column)) * size;
  const whose = owners === "register" ? "" : ` of ${owners}${who.length > 1 ? "s" : ""} ${who.join(", ")}`;
  return `[${i}, ${j}]${whose}: register ${Math.floor(own / grf_bytes)} of the value, byte ${own % grf_bytes}; address base + ${i} × pitch + ${j * size}`;
}
