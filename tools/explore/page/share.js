// The state of the page as text for its address, and the page as one file.

async function through(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns a state as text for the fragment of an address: compressed, in the letters of base64url. */
export async function packed(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state in the fragment of an address; null for one that holds none. */
export async function unpacked(fragment) {
  try {
    const letters = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    return state !== null && typeof state === "object" && !Array.isArray(state) ? state : null;
  } catch {
    return null;
  }
}

const MODULES = ["app", "dom", "share", "service", "syntax", "editors", "stages", "binary", "compare", "run", "charts", "layouts", "messages", "vendor/codemirror"];

/** Returns the page as the text of one HTML file, which shows a snapshot without a server. */
export async function exported(snapshot) {
  const load = async (file) => (await fetch(file)).text();
  const style = await load("style.css");
  const imports = {};
  for (const name of MODULES) {
    // Modules in data: addresses have no neighbours, so they name each other by words of the import map.
    const text = (await load(`${name}.js`)).replace(/(from\s*|import\s*)"\.\/([\w/]+)\.js"/g, '$1"explorer/$2"');
    imports[`explorer/${name}`] = `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;
  }
  const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");
  const page = document.implementation.createHTMLDocument("");
  page.documentElement.innerHTML = await load("index.html");
  for (const old of page.querySelectorAll("script, link")) old.remove();
  const script = (type, text) => Object.assign(page.createElement("script"), { type, textContent: text });
  page.head.append(
    Object.assign(page.createElement("style"), { textContent: style }),
    Object.assign(script("application/json", json(snapshot)), { id: "snapshot" }),
    script("importmap", json({ imports })),
    script("module", 'import "explorer/app";'),
  );
  page.documentElement.lang = "en";
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}
