// Requests to the server, or what a snapshot has kept of its answers.

const kept = document.getElementById("snapshot");

/** What an exported page shows; null on a page that a server serves. */
export const snapshot = kept === null ? null : JSON.parse(kept.textContent);

/** An answer that is none: the text says why. */
export class Refused extends Error {}

/** Returns the answer to a request: `compile`, `native`, `run`, `layouts`. Throws `Refused`. */
export async function ask(kind, request, signal) {
  let response;
  try {
    response = await fetch(kind, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("xegpu-explore does not answer: has it been ended?");
  }
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.refused);
  return answer;
}

/** Returns what the page begins with. */
export async function start() {
  return snapshot === null ? (await fetch("start.json")).json() : snapshot.start;
}
