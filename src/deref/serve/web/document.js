// One document: what it holds, and each of its references with what became of it.

import * as api from "./api.js";
import { count, el, emptyState, problemBox, show } from "./dom.js";
import { placeButton, trails } from "./places.js";
import { openPlace } from "./viewer.js";

const STATUSES = ["resolved", "ambiguous", "dangling", "unresolved", "external"];
const SHOWN = 200;

/** Show a document. */
export async function documentView(main, { rest: id }) {
  const here = `documents/${encodeURIComponent(id)}`;
  const found = await Promise.all([api.get(here), api.get(`${here}/outline`)]).catch((error) => {
    if (error.status !== 404) throw error;
    return null;
  });
  if (!found) {
    show(main, emptyState("This document is not on the shelf", "It was removed, or changed since: then it is there under its name.", el("a.button.primary", { href: "#/library" }, "Open the library")));
    return;
  }
  const [about, outline] = found;
  const list = el("div");
  const whole = { document: id, source: about.source, page: 1, row: 1, lines: [0, 0], what: about.title };
  show(main, el("div.view", null,
    el("p.crumb", null, el("a", { href: "#/library" }, "Library"), " › "),
    el("header", null,
      el("div", null, el("h1", null, about.source), el("p", null, `${about.title} · ${count(Math.max(about.pages, 1), "page")} · ${count(about.lines, "line")}`)),
      el("button.primary", { type: "button", onclick: (event) => openPlace(whole, event.currentTarget) }, "Open the document")),
    about.status !== "active" && el("p", null, el(`span.badge.${about.status}`, null, about.status), " ", about.status_why),
    about.problems.length ? el("section", null, el("h2", null, "What could not be read"), el("ul.notes", null, about.problems.map((one) => el("li", null, one.page ? `p. ${one.page}: ${one.what}` : one.what)))) : null,
    el("section", { "aria-label": "References" }, el("h2", null, "References"), list),
    outlinePart(about, outline)));
  await references(here, list, new Set());
}

async function references(here, list, wanted) {
  show(list, el("p.loading", { role: "status" }, "Following each reference …"));
  try {
    const every = await api.all(`${here}/references`);
    draw();

    function draw() {
      const rows = every.filter((row) => !wanted.size || wanted.has(row.status));
      show(list,
        el("p.tools", { role: "group", "aria-label": "Only those that are" }, STATUSES.map((status) => {
          const n = every.filter((row) => row.status === status).length;
          return n ? el("button.small", { type: "button", "aria-pressed": String(wanted.has(status)), onclick: () => {
            if (!wanted.delete(status)) wanted.add(status);
            draw();
          } }, `${status} ${n}`) : null;
        })),
        every.length ? trails(rows.slice(0, SHOWN)) : emptyState("It points nowhere", "No reference was found in this document."),
        rows.length > SHOWN && el("p.lead", null, `The first ${SHOWN} of ${rows.length} are shown.`));
    }
  } catch (error) {
    show(list, problemBox(error, () => references(here, list, wanted)));
  }
}

function outlinePart(about, { sections, items }) {
  const named = [
    ...sections.map((one) => ({ ...one, name: [one.label, one.title].filter(Boolean).join(" ") })),
    ...items.map((one) => ({ ...one, name: [`${one.kind} ${one.label ?? ""}`.trim(), one.caption].filter(Boolean).join(" · ") })),
  ].sort((a, b) => a.lines[0] - b.lines[0]);
  if (!named.length) return null;
  const place = (one) => ({ document: about.document, source: about.source, page: one.page, lines: one.lines, what: one.name });
  return el("section", null, el("details", null,
    el("summary", null, `Outline: ${count(sections.length, "section")}, ${count(items.length, "item")}`),
    el("ul", null, named.map((one) => el("li", null, placeButton(place(one), one.name || `lines from ${one.lines[0]}`, "source"))))));
}
