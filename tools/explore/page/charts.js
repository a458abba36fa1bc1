// Pictures of numbers, on canvases.

import { element, shown } from "./dom.js";

const CELL = 12; // pixels of the largest cell
const SIDE = 256; // pixels of the longer side of an array
const WIDTH = 640; // pixels of a timeline
const TRACK = 6; // pixels of a hardware thread
const MOST_TRACKS = 128;

/** Returns the colour of a number from -1 to 1: blue below zero, white, orange above. */
function colour(value) {
  if (value === null) return "rgb(120 120 120)";
  const part = Math.min(Math.abs(value), 1);
  const [r, g, b] = value < 0 ? [33, 102, 172] : [202, 94, 20];
  const mix = (channel) => Math.round(255 + (channel - 255) * part);
  return `rgb(${mix(r)} ${mix(g)} ${mix(b)})`;
}

/**
 * Returns a canvas and the text about the place under the pointer, or, for those who use keys, under the cursor that the
 * arrow keys move by a cell.
 * @param cell The width and the height of a cell.
 * @param draw Draws the picture into a context, again whenever the place changes.
 * @param describe Returns the text of a place; it is called with null when there is none.
 */
export function described(label, width, height, cell, draw, describe) {
  const readout = element("p", { className: "readout", role: "status" });
  let at = null;
  const show = (place) => {
    at = place;
    readout.textContent = place === null ? (describe(null), "") : describe(...place);
    redraw();
  };
  const moved = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const [x, y] = at ?? [-cell[0] / 2 * step[0], -cell[1] / 2 * step[1]];
    const within = (value, size, most) => Math.min(Math.max((Math.floor(value / size) + 0.5) * size, size / 2), most - size / 2);
    show([within(x + step[0] * cell[0], cell[0], width), within(y + step[1] * cell[1], cell[1], height)]);
  };
  const canvas = element("canvas", { width, height, role: "img", "aria-label": label, tabIndex: 0, keydown: moved,
    mousemove: (event) => {
      const box = canvas.getBoundingClientRect();
      show([((event.clientX - box.left - canvas.clientLeft) * width) / canvas.clientWidth, ((event.clientY - box.top - canvas.clientTop) * height) / canvas.clientHeight]);
    }, mouseleave: () => show(null), blur: () => show(null) });
  const redraw = () => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    draw(context);
    if (at === null) return;
    context.lineWidth = 2;
    context.strokeStyle = "#000000";
    context.strokeRect(...at.map((value, axis) => Math.floor(value / cell[axis]) * cell[axis]), ...cell);
    context.lineWidth = 1;
  };
  redraw();
  return [readout, canvas];
}

/** Returns the width and the height of the cells of an array in pixels; few rows are higher, so that they can be seen. */
function cellSize(width, height) {
  const size = Math.max(1, Math.min(CELL, Math.floor(SIDE / Math.max(width, height, 1))));
  return [size, Math.max(size, Math.min(2 * CELL, Math.floor((4 * CELL) / Math.max(height, 1))))];
}

/** Returns an array as a heat map. */
export function heatMap(array) {
  const most = Math.max(Math.abs(array.least ?? 0), Math.abs(array.most ?? 0)) || 1;
  const height = array.cells.length;
  const width = array.cells[0]?.length ?? 0;
  const [w, h] = cellSize(width, height);
  const range = array.least === null ? "no finite number" : `from ${shown(array.least)} to ${shown(array.most)}`;
  const strange = array.not_finite ? `, ${array.not_finite} infinite or not a number` : "";
  const [down, across] = array.block;
  const means = down * across > 1 ? `; each cell is the mean of ${down}x${across} elements` : "";
  const label = `${array.name}: ${array.type}, ${range}${strange}${means}`;
  const draw = (context) => array.cells.forEach((row, y) => row.forEach((value, x) => {
    context.fillStyle = colour(value === null ? null : value / most);
    context.fillRect(x * w, y * h, w, h);
  }));
  const describe = (x, y) => {
    const [row, column] = [Math.floor(y / h), Math.floor(x / w)];
    const value = array.cells[row]?.[column];
    return value === undefined ? "" : `[${row * down}, ${column * across}] = ${value === null ? "not finite" : shown(value)}`;
  };
  return element("figure", {}, element("figcaption", {}, label), ...described(label, width * w, height * h, [w, h], draw, describe));
}

/** Returns an image in its colours, as if it were nowhere transparent. */
export function imagePicture(image) {
  const height = image.colours.length;
  const width = image.colours[0]?.length ?? 0;
  const [w, h] = cellSize(width, height);
  const [down, across] = image.block;
  const means = down * across > 1 ? `; each cell is the mean of ${down}x${across} texels` : "";
  const label = `${image.name}: ${image.type}, colours from 0 to ${shown(image.white)}${means}`;
  const draw = (context) => image.colours.forEach((row, y) => row.forEach((texel, x) => {
    const [r, g, b] = texel.map((value) => 255 * Math.min(Math.max((value ?? 0) / image.white, 0), 1));
    context.fillStyle = `rgb(${r} ${g} ${b})`;
    context.fillRect(x * w, y * h, w, h);
  }));
  const describe = (x, y) => {
    const [row, column] = [Math.floor(y / h), Math.floor(x / w)];
    const texel = image.colours[row]?.[column];
    if (texel === undefined) return "";
    const parts = texel.map((value, i) => `${"rgba"[i]} ${value === null ? "not finite" : shown(value)}`);
    return `[${row * down}, ${column * across}] = ${parts.join(", ")}`;
  };
  return element("figure", {}, element("figcaption", {}, label), ...described(label, width * w, height * h, [w, h], draw, describe));
}

/** Returns the threads of a launch over time: a row for each thread slot, a colour for each work-group. */
export function timeline(found) {
  const tracks = new Map();
  for (const [core, eu, slot] of found.slices) {
    const name = `Xe-core ${core}, EU ${eu}, thread ${slot}`;
    if (!tracks.has(name) && tracks.size < MOST_TRACKS) tracks.set(name, tracks.size);
  }
  const rows = found.slices.map(([core, eu, slot, start, cycles, gx, gy, gz, thread]) => (
    { track: `Xe-core ${core}, EU ${eu}, thread ${slot}`, start, cycles, group: [gx, gy, gz], thread })).filter((each) => tracks.has(each.track));
  const scale = WIDTH / Math.max(found.end, 1);
  const hidden = found.threads - rows.length;
  const label = `${rows.length} threads on ${tracks.size} thread slots, ${shown(found.end)} cycles${hidden > 0 ? `; ${hidden} more threads are not drawn` : ""}`;
  const draw = (context) => rows.forEach((each) => {
    const hue = ((each.group[0] * 7 + each.group[1] * 31 + each.group[2] * 101) * 137.5) % 360;
    context.fillStyle = `hsl(${hue} 60% 55%)`;
    context.fillRect(each.start * scale, tracks.get(each.track) * TRACK, Math.max(each.cycles * scale, 1), TRACK - 1);
  });
  const describe = (x, y) => {
    const at = x === null ? undefined : rows.find((each) => tracks.get(each.track) === Math.floor(y / TRACK) && x >= each.start * scale && x <= (each.start + each.cycles) * scale);
    return at === undefined ? "" : `work-group (${at.group.join(", ")}), thread ${at.thread}: ${at.track}, cycles ${shown(at.start)} to ${shown(at.start + at.cycles)}`;
  };
  return element("figure", {}, element("figcaption", {}, label), ...described(label, WIDTH, Math.max(tracks.size, 1) * TRACK, [TRACK, TRACK], draw, describe));
}
