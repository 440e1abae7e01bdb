// Places in documents, and references, as things to click.
//
// A place is { document, source, page, row, endPage, endRow, lines: [start, end], focus: [[start, end], …], what }: lines are
// 0-based and half-open; pages and rows count from 1.

import { el } from "./dom.js";
import { position, shortName } from "./names.js";
import { fetchAhead, openPlace } from "./viewer.js";

const STATUS = {
  resolved: "followed or found",
  ambiguous: "several places fit",
  external: "not on this shelf",
  dangling: "leads nowhere",
  unresolved: "could not be worked out",
};

const TIER = {
  link: "a link in the file",
  label: "the label in this document",
  container: "the label in the document that it names",
  alias: "a name of a document",
  bibliography: "the list of works cited",
  definition: "a defined term",
  model: "a language model",
};

/** The place that a citation quotes. */
export function citedPlace(citation) {
  return {
    document: citation.document, source: citation.source, page: citation.page, row: citation.row,
    endPage: citation.end_page, endRow: citation.end_row, lines: citation.lines, what: citation.section,
  };
}

/** The place where a reference, a condition or a finding is written. */
export function writtenPlace(row) {
  return {
    document: row.document, source: row.source, page: row.page, row: row.row,
    lines: [row.line, (row.end_line ?? row.line) + 1], what: row.text,
  };
}

/** A place that a reference points at. A whole document is opened at its beginning, with nothing but that lit. */
export function targetPlace(target) {
  const whole = target.kind === "document" || target.kind === "page";
  return {
    document: target.document, source: target.source, page: target.page, row: target.row,
    lines: whole ? [target.line, target.line + 1] : [target.line, target.end_line],
    focus: target.focus?.length ? target.focus : undefined, what: targetName(target),
  };
}

/** Return "Table B-1", "Section 7.4", or the name of a document. */
export function targetName(target) {
  if (target.kind === "document" || !target.label) return target.title || shortName(target.source);
  return `${target.kind[0].toUpperCase()}${target.kind.slice(1)} ${target.label}`;
}

/** What a click on something that opens a place does, and what is got ahead of it. */
export function opening(place) {
  const ahead = () => fetchAhead(place);
  return { onclick: (event) => openPlace(place, event.currentTarget), onpointerenter: ahead, onfocus: ahead };
}

/** A button that opens a place. `text` is what it says; the place is read out with it. */
export function placeButton(place, text, kind = "place") {
  const where = position(place);
  if (!place.document) return el("span.gone", { title: "The document is not there any more." }, text ?? where);
  return el(`button.${kind}`, {
    type: "button", title: `${place.source}, ${where}`, "aria-label": `${text ?? where}: open ${place.source}, ${where}`,
    ...opening(place),
  }, text ?? where);
}

/** What became of a reference, in a word, with the tier that decided. */
export function outcome(row) {
  return el("span.outcome", null,
    el(`span.badge.${row.status}`, { title: STATUS[row.status] }, row.status),
    row.tier && el("span.tier", { title: `Decided by ${TIER[row.tier] ?? row.tier}` }, `by ${row.tier}`));
}

/** Why, without the status that stands beside it. */
function reason(row) {
  return row.why.startsWith(`${row.status}: `) ? row.why.slice(row.status.length + 2) : row.why;
}

/** A reference as a trail: where it is written, its words, and each place that it leads to, with why. */
export function trail(row) {
  const from = writtenPlace(row);
  const shown = row.targets.slice(0, 6);
  return el("li.trail", null,
    el("div.way", null,
      placeButton(from, `${shortName(row.source)}, ${position(from)}`),
      el("span.dash", { "aria-hidden": "true" }, "—"),
      el("q.pointer", null, row.text),
      shown.length ? el("span.arrow", { role: "img", "aria-label": "leads to" }, "→") : null,
      shown.map((target) => {
        const elsewhere = target.source !== row.source && target.kind !== "document";
        return placeButton(targetPlace(target), `${targetName(target)}, ${elsewhere ? `${shortName(target.source)}, ` : ""}p. ${target.page}`);
      }),
      row.targets.length > shown.length ? el("span.more", null, `and ${row.targets.length - shown.length} more`) : null),
    el("p.why", null, outcome(row), " ", reason(row)));
}

/** A list of references as trails. */
export function trails(rows) { return el("ul.trails", null, rows.map(trail)); }
