// Which words of an answer are one claim, and which numbers in it are its citations.
//
// A quote ends with its own number, and quotes come in the order of their numbers; a claim of a model ends with all that it cites.
// Documents have such numbers of their own, "[9]" for a work in their list, so a number counts at the end alone, and at that of a
// quote only where what stands before it is what the citation quotes. All else is the document's, and leads nowhere here.

import { cellsOf } from "./names.js";

const END = /(?:\s*\[\d+\])+$/;

/** Return the claims of an answer in order: { lines, cited }, its lines without the numbers, and the numbers. */
export function claimsOf({ text, citations }) {
  const lines = text.split("\n");
  return quotesIn(lines, citations) ?? writtenIn(lines, citations);
}

/** Return the quotes, each with its number; null when these are not the quotes of all citations, in order. */
function quotesIn(lines, citations) {
  const claims = [];
  let held = [];
  for (const line of lines) {
    const n = claims.length + 1;
    const said = line.endsWith(` [${n}]`) ? line.slice(0, -` [${n}]`.length) : null;
    const above = said === null ? null : /^as quoted at \[(\d+)\]$/.exec(said);
    held.push(said ?? line);
    if (above) {
      claims.push({ lines: [...held.slice(0, -1), "as quoted at"], cited: [Number(above[1]), n] });
    } else if (said !== null && n <= citations.length && letters(held.join("")).endsWith(letters(citations[n - 1].quote))) {
      claims.push({ lines: withCells(held, citations[n - 1].quote), cited: [n] });
    } else {
      held[held.length - 1] = line;
      continue;
    }
    held = [];
  }
  return claims.length === citations.length && !held.length ? claims : null;
}

/** Return lines with those that are rows of a table as the quote has them: there the cells are parted. */
function withCells(lines, quote) {
  const rows = new Map(quote.split("\n").filter((line) => cellsOf(line).length > 1).map((line) => [letters(line), line]));
  return lines.map((line) => rows.get(letters(line)) ?? line);
}

/** Return the claims of a model: the lines up to one that ends with numbers belong together. */
function writtenIn(lines, citations) {
  const claims = [];
  let held = [];
  for (const line of lines) {
    const end = END.exec(line)?.[0] ?? "";
    const cited = [...end.matchAll(/\d+/g)].map(([n]) => Number(n)).filter((n) => citations[n - 1]);
    held.push(cited.length ? line.slice(0, -end.length) : line);
    if (!cited.length) continue;
    claims.push({ lines: held, cited });
    held = [];
  }
  if (held.some((line) => line.trim())) claims.push({ lines: held, cited: [] });
  return claims;
}

/** Return the numbers that a document has itself and that a reader of plain text might take for citations. */
export function ownNumbers(answer) {
  const said = claimsOf(answer).flatMap(({ lines }) => lines).join("\n");
  const own = [...said.matchAll(/\[(\d{1,4})\]/g)].map(([, n]) => Number(n)).filter((n) => answer.citations[n - 1]);
  return [...new Set(own)].sort((a, b) => a - b);
}

/** The letters and digits of a text: lines are joined and their hyphens taken out where it is shown. */
function letters(text) { return text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, ""); }
