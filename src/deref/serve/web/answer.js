// An answer: claims with the chips of what they cite, the trail of what was followed, and what stays open, each with why.
//
// Where the quoting writer heads what it followed with the words of the pointer, the trail stands in the place of that line.

import { claimsOf, ownNumbers } from "./claims.js";
import { count, el } from "./dom.js";
import { cellsOf, position, shortName } from "./names.js";
import { citedPlace, opening, placeButton, trail, trails, writtenPlace } from "./places.js";

const STATES = {
  complete: ["Complete", "Every pointer that would change the answer was followed, or leaves the shelf."],
  partial: ["Partial", "Something that would change the answer is still open. It is listed below with the reason."],
  references_unresolved: ["Partial", "Pointers are still open. They are listed below with the reason."],
  conflict: ["Conflict", "The passages contradict each other. Each side is cited."],
  not_found: ["Not found", "Nothing on this shelf bears on the question."],
};

const STANDINGS = {
  renamed: "renamed since", changed: "changed since this answer", gone: "no longer on the shelf",
};

/** Return an answer as an element. */
export function answerView(answer) {
  const [state, told] = STATES[answer.completeness] ?? [answer.completeness, ""];
  const head = el("p.state", null, el(`span.badge.${answer.completeness}`, null, state), el("span", null, told));
  if (answer.completeness === "not_found") return el("div.answer", null, head, notFound(), problems(answer));
  const headed = new Set();
  const said = claims(answer, headed);
  return el("div.answer", null, head,
    el("div.claims", null, said),
    part("Amended", "amended", "Another paper on the shelf changes what is quoted. Its words are quoted above.",
      (answer.amendments ?? []).map((row) => el("li", null, chip(row.amended, answer.citations[row.amended - 1]), " by ", chip(row.amending, answer.citations[row.amending - 1])))),
    part("Holds on condition", "conditions", "These are stated in the documents. Deref does not decide whether they are met.",
      answer.conditions.map((row) => el("li", null, el("blockquote", null, row.text), source(writtenPlace(row))))),
    part("Terms as defined", "terms", null,
      answer.definitions.map((row) => el("li", null, el("b", null, row.term), " ", el("span", null, row.text), source(writtenPlace(row))))),
    referencesPart(headed.size ? "Also followed" : "Followed", "followed", followed(answer).filter((row) => !headed.has(key(row)))),
    referencesPart("Read, and not quoted", "unquoted", answer.unquoted ?? []),
    referencesPart("Still open", "open", answer.pending),
    referencesPart("Outside this shelf", "outside", answer.external),
    problems(answer));
}

function notFound() {
  return el("div.empty", null,
    el("h2", null, "Nothing here bears on the question"),
    el("p", null, "Try the words that the documents use, name a document, or take the filter off. The Library shows what is on the shelf."),
    el("p.actions", null, el("a.button", { href: "#/library" }, "See what is on the shelf")));
}

function part(title, name, lead, items) {
  if (!items.length) return null;
  return el(`section.part.${name}`, { "aria-label": title }, el("h3", null, title), lead && el("p.lead", null, lead), el("ul", null, items));
}

function referencesPart(title, name, rows) {
  if (!rows.length) return null;
  return el(`section.part.${name}`, { "aria-label": title },
    el("h3", null, title, " ", el("span.number", null, String(rows.length))), trails(rows));
}

function problems(answer) {
  if (!answer.problems.length) return null;
  return el("ul.notes", { "aria-label": "Notes" }, answer.problems.map((told) => el("li", null, told)));
}

/** The references that were followed, each once, in the order in which they were cited. */
function followed(answer) {
  const rows = new Map();
  for (const { followed: row } of answer.citations) if (row) rows.set(key(row), row);
  return [...rows.values()];
}

function key(row) { return `${row.document} ${row.line} ${row.char_start}`; }

function source(place) {
  return el("div.sources", null, placeButton(place, `${shortName(place.source)}, ${position(place)}`, "source"));
}

/** What an answer claims, and before what was followed its trail. `headed` gets the references that stand as such headings. */
function claims(answer, headed) {
  return claimsOf(answer).flatMap(({ lines, cited }) => {
    const heading = headingOf(lines[0], answer);
    if (!heading) return [claim(lines, cited, answer)];
    headed.add(key(heading));
    return [el("ul.trails.heading", null, trail(heading)), claim(lines.slice(1), cited, answer)];
  });
}

/** The reference whose words a line gives as the heading of what was followed: "Table 3 (a.pdf, p. 9):". */
function headingOf(line, answer) {
  if (!line.endsWith("):")) return null;
  const cited = answer.citations.find((c) => c.followed && line.startsWith(`${c.reference} (`) && line.includes(c.source));
  return cited?.followed ?? null;
}

function claim(lines, cited, answer) {
  const chips = cited.map((n) => chip(n, answer.citations[n - 1]));
  const body = [];
  let rows = null;
  lines.forEach((line, i) => {
    const cells = cellsOf(line);
    const last = i === lines.length - 1;
    if (cells.length === 1) {
      rows = null;
      body.push(el("span.line", null, line, " ", last && chips));
      return;
    }
    if (!rows) body.push(rows = el("tbody"));
    rows.append(el("tr", null, cells.map((cell) => el("td", null, cell))));
    if (last) body.push(el("span.line", null, chips)); // Below it: the last cell may be out of sight.
  });
  const arrived = cited.length && cited.every((n) => answer.citations[n - 1].arrived === "reference");
  return el(arrived ? "div.claim.arrived" : "div.claim", null,
    el("div.words", null, body.map((part) => (part.localName === "tbody" ? tableOf(part) : part))),
    cited.length ? el("div.sources", null, cited.map((n) => longSource(n, answer.citations[n - 1]))) : null);
}

/** A table, which can be moved sideways where it is wider than the page. */
function tableOf(rows) {
  return el("div.sideways", { tabindex: "0", role: "group", "aria-label": "Table" }, el("table.cells", null, rows));
}

function chip(n, citation) {
  const place = citedPlace(citation);
  return el("button.chip", {
    type: "button", "data-citation": n, title: `${citation.source}, ${position(place)}`,
    "aria-label": `Source ${n}: open ${citation.source}, ${position(place)}`,
    ...opening(place),
  }, String(n));
}

function longSource(n, citation) {
  const place = citedPlace(citation);
  const changed = STANDINGS[citation.standing];
  return el("span.cited", null,
    placeButton(place, `${shortName(citation.source)}, ${position(place)}`, "source"),
    citation.section && el("span.section", null, citation.section),
    changed && el("span.badge.partial", null, changed));
}

/** Return an answer as plain text with its sources, for the clipboard. */
export function plainText(question, answer) {
  const sources = answer.citations.map((c, i) => `[${i + 1}] ${c.source}, ${position(citedPlace(c))}`);
  const own = ownNumbers(answer).map((n) => `[${n}]`).join(", ").replace(/, (?=[^,]*$)/, " or ");
  const note = own ? [`A ${own} inside a quote is the document's own number; that of a source stands behind its quote.`] : [];
  return [question, "", answer.text, "", count(sources.length, "source"), ...sources, ...note].join("\n");
}
