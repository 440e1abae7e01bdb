// What the checker finds: pointers that lead nowhere, numbers that clash, terms without a definition; to filter and to take along.

import * as api from "./api.js";
import { count, el, emptyState, problemBox, save, show } from "./dom.js";
import { position } from "./names.js";
import { placeButton, writtenPlace } from "./places.js";

const SEVERITIES = ["error", "warning", "note"];
const SHOWN = 300;
const COLUMNS = ["severity", "rule", "source", "page", "row", "text", "message", "fingerprint"];

/** Show the check of the shelf. */
export async function checkView(main, { library }) {
  const list = el("div", { "aria-live": "off" });
  show(main, el("div.view", null, el("header", null, el("div", null, el("h1", null, "Check"),
    el("p", null, "What is wrong with cross-references, numbers and defined terms. A finding stands where the document itself shows it."))), list));
  show(list, el("p.loading", { role: "status" }, "Checking each document …"));
  try {
    const every = await api.all("findings");
    if (list.isConnected) draw(list, every, library);
  } catch (error) {
    show(list, problemBox(error, () => checkView(main, { library })));
  }
}

function draw(list, every, library) {
  if (!library.documents) {
    show(list, emptyState("Nothing to check yet", "There is no document on this shelf.", el("a.button.primary", { href: "#/library" }, "Open the library")));
    return;
  }
  const chosen = { severities: new Set(every.some((row) => row.severity !== "note") ? ["error", "warning"] : []), rule: "", source: "", words: "" };
  const found = el("div");
  const total = el("p.lead", { role: "status" });
  const options = (values, all) => [el("option", { value: "" }, all), values.map((value) => el("option", null, value))];
  const unique = (field) => [...new Set(every.map((row) => row[field]))].sort();
  const tally = (name) => every.filter((row) => row.severity === name).length;
  const fill = () => {
    const rows = passing(every, chosen);
    total.textContent = `${count(rows.length, "finding")} of ${every.length}`;
    show(found, rows.length ? groups(rows) : emptyState(every.length ? "Nothing fits this filter" : "Nothing is wrong", every.length ? "Choose other severities, rules or words." : "Each pointer leads somewhere, each number is given once, each term is defined."));
  };
  const severity = (name) => el("button.small", { type: "button", "aria-pressed": String(chosen.severities.has(name)), onclick: (event) => {
    if (!chosen.severities.delete(name)) chosen.severities.add(name);
    event.currentTarget.setAttribute("aria-pressed", String(chosen.severities.has(name)));
    fill();
  } }, `${name} ${tally(name)}`);
  const chooser = (field, label, all) => el("select", { "aria-label": label, onchange: (event) => { chosen[field] = event.target.value; fill(); } }, options(unique(field), all));
  show(list,
    el("div.tools", { role: "group", "aria-label": "Filter" }, SEVERITIES.map(severity), chooser("rule", "Rule", "all rules"), chooser("source", "Document", "all documents"),
      el("input", { type: "search", placeholder: "Words of the finding", "aria-label": "Words of the finding", oninput: (event) => { chosen.words = event.target.value; fill(); } }),
      el("button.small", { type: "button", onclick: () => save("findings.csv", "text/csv", csv(passing(every, chosen))) }, "Export CSV"),
      el("button.small", { type: "button", onclick: () => save("findings.json", "application/json", JSON.stringify(passing(every, chosen), null, 1)) }, "Export JSON")),
    total, found);
  fill();
}

function passing(every, { severities, rule, source, words }) {
  const wanted = words.toLowerCase();
  return every.filter((row) => (!severities.size || severities.has(row.severity)) && (!rule || row.rule === rule) && (!source || row.source === source)
    && (!wanted || `${row.text} ${row.message}`.toLowerCase().includes(wanted)));
}

function groups(rows) {
  const bySource = new Map();
  for (const row of rows.slice(0, SHOWN)) bySource.set(row.source, [...(bySource.get(row.source) ?? []), row]);
  return [
    [...bySource].map(([source, some]) => el("section.shelf-group", { "aria-label": source },
      el("h2", null, el("a", { href: `#/document/${some[0].document}` }, source)), el("div.card", null, some.map(finding)))),
    rows.length > SHOWN && el("p.lead", null, `The first ${SHOWN} are shown; the export has all.`)];
}

function finding(row) {
  return el("div.finding", null,
    el("span", null, el(`span.badge.${row.severity}`, null, row.severity)),
    el("div.what", null, el("q.pointer", null, row.text), " ", el("span", null, row.message), " ", el("span.rule", null, row.rule)),
    placeButton(writtenPlace(row), position(row)));
}

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is quoted with an apostrophe. */
function csv(rows) {
  const cell = (value) => {
    const text = String(value ?? "");
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  return [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(","))].join("\r\n") + "\r\n";
}
