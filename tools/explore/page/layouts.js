// Pictures of tiles: which lane, subgroup or register has each element.

import { described } from "./charts.js";
import { element, fill } from "./dom.js";

const WIDTH = 720; // pixels of the largest picture
const CELL = 28; // pixels of the largest element
const GOLDEN = 137.508; // degrees between the hues of neighbouring owners

/** The view of layouts. */
export class LayoutView {
  constructor(parent) {
    this.chosen = "";
    this.select = element("select", { change: () => {
      this.chosen = this.select.value;
      this.#draw();
    } });
    this.picture = element("div");
    const label = element("label", {}, "Tile", this.select);
    parent.append(element("div", { className: "row" }, label), this.picture);
  }

  /** Shows the pictures of a kernel. */
  show(pictures) {
    this.pictures = pictures;
    fill(this.select, pictures.map((each) => [each.title, `${each.title} (${each.stage})`]), this.chosen);
    this.chosen = this.select.value;
    this.#draw();
  }

  #draw() {
    const found = this.pictures.find((each) => each.title === this.chosen);
    if (found === undefined) {
      this.picture.replaceChildren("The kernel has no tiles.");
      return;
    }
    const { rows, columns, size, owners, boxes } = found;
    const cell = Math.min(CELL, WIDTH / columns, WIDTH / rows);
    const count = new Set(boxes.map((box) => box[4])).size;
    const label = `${rows}x${columns} elements of ${size} bytes in the hands of ${count} ${owners}${count === 1 ? "" : "s"}`;
    const draw = (context) => {
      context.font = `${Math.min(11, cell * 0.6)}px sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      for (const [row, column, height, width, owner] of boxes) {
        context.fillStyle = `hsl(${(owner * GOLDEN) % 360} 70% 80%)`;
        context.fillRect(column * cell, row * cell, width * cell, height * cell);
        context.strokeStyle = "#444444";
        context.strokeRect(column * cell, row * cell, width * cell, height * cell);
        if (cell < 10) continue;
        context.fillStyle = "#000000";
        context.fillText(owner, (column + width / 2) * cell, (row + height / 2) * cell);
      }
    };
    const describe = (x, y) => {
      const [i, j] = [Math.floor(y / cell), Math.floor(x / cell)];
      const box = boxes.find(([row, column, height, width]) => i >= row && i < row + height && j >= column && j < column + width);
      return box === undefined ? "" : placed(found, box, i, j);
    };
    this.picture.replaceChildren(element("figure", {}, element("figcaption", {}, label),
      ...described(label, columns * cell, rows * cell, draw, describe)));
  }
}

/** Returns where an element is: its owner, its register and its address. */
function placed({ owners, size }, [row, column, , width, owner, register, byte], i, j) {
  const own = byte + ((i - row) * width + (j - column)) * size;
  const whose = owners === "register" ? "" : ` of ${owners} ${owner}`;
  return `[${i}, ${j}]${whose}: register ${register} of the value, byte ${own}; address base + ${i} × pitch + ${j * size}`;
}
