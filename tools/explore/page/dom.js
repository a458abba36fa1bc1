// Elements of the page, made in one call each.

/** Returns a new element with properties, attributes (for names with a dash), listeners (for functions) and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** Returns a labelled menu. Choices are words, or pairs of a value and its label. */
export function menu(label, choices, value, change) {
  const select = element("select", { change: () => change(select.value) });
  fill(select, choices, value);
  return { label: element("label", {}, label, select), select };
}

/** Replaces the choices of a menu. */
export function fill(select, choices, value) {
  const pairs = choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
  select.replaceChildren(...pairs.map(([key, text]) => element("option", { value: key }, text)));
  select.value = value;
  if (select.selectedIndex < 0 && pairs.length) select.selectedIndex = 0;
}

/** Returns a table with a row of headings; numbers are written with separators. */
export function table(caption, headings, rows) {
  const cell = (value) => element("td", {}, value === null || value === undefined ? "–" : shown(value));
  return element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...headings.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))));
}

/** Returns the text of a value: numbers with separators, and no more digits than help. */
export function shown(value) {
  if (typeof value !== "number") return value;
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 4 });
}
