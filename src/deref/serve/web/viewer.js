// The document beside the answer: the picture of a page, or its text, with exactly the lines lit that are meant.
//
// A place that goes over pages shows each of them. What is lit lies over the picture as boxes in the unit of the lines, so a
// picture is the same for all places. Formats without pictures, and PDFs on request, are shown as numbered lines; the lines
// of a table as rows with cells.

import * as api from "./api.js";
import { el, problemBox, say, show, svg } from "./dom.js";
import { cellsOf, position } from "./names.js";

const PAGES_OF_A_PLACE = 4;
const LINES_AROUND = 40;

const state = { place: null, document: null, page: 1, asText: false, turn: 0, from: null };

function pane() { return document.getElementById("viewer"); }

/** Whether the document covers all else: then the way back closes it. */
function covers() { return matchMedia("(max-width: 900px)").matches; }

addEventListener("popstate", () => { if (covers() && !history.state?.viewing) closeViewer(); });

/** Open a place; `from` is the element that gets the focus back when the viewer closes. */
export async function openPlace(place, from) {
  document.querySelectorAll("[aria-current=location]").forEach((node) => node.removeAttribute("aria-current"));
  from?.setAttribute?.("aria-current", "location");
  Object.assign(state, { place, page: place.page, from: from ?? state.from });
  if (covers() && !history.state?.viewing) history.pushState({ viewing: true }, "");
  document.body.classList.add("viewing");
  pane().hidden = false;
  await draw();
  if (state.place !== place) return;
  say(`${place.source}, ${position(place)} is open.`);
  if (covers()) pane().querySelector("h2")?.focus();
}

/** Close the viewer. */
export function closeViewer() {
  if (pane().hidden) return false;
  pane().hidden = true;
  show(pane());
  document.body.classList.remove("viewing");
  state.turn += 1;
  state.place = null;
  if (history.state?.viewing) history.back();
  if (state.from?.isConnected) state.from.focus();
  return true;
}

/** Go to another page of the document that is open. */
export function turnPage(by) {
  const { place, document: about } = state;
  if (!place || about?.document !== place.document) return;
  const page = state.page + by;
  if (page < 1 || page > Math.max(about.pages, 1)) return;
  state.page = page;
  draw();
}

const known = new Map();

/** Return what is kept of a path, or get it. Documents are known by their bytes, so what is at a path stays. */
function kept(path) {
  if (!known.has(path)) {
    if (known.size > 300) known.clear();
    known.set(path, api.get(path).catch((error) => { known.delete(path); throw error; }));
  }
  return known.get(path);
}

/** Get the page of a place while the pointer comes to rest on what opens it: a click follows soon. */
export async function fetchAhead(place) {
  const here = `documents/${place.document}`;
  try {
    const about = await kept(here);
    if (!about.picture_pages) await kept(`${here}/outline`);
    else if (!state.asText) await pagePicture(here, place.page);
  } catch {
    // Who opens the place is told.
  }
}

function pagePicture(here, number) {
  return Promise.all([kept(`${here}/pages/${number}`), api.picture(`${here}/pages/${number}/picture`)]);
}

/** Forget what is kept: another library is shown, or it has changed. */
export function forgetPages() { known.clear(); }

async function draw() {
  const { place, page } = state;
  const turn = (state.turn += 1);
  const body = el("div.pages", { tabindex: "0", role: "region", "aria-label": "Page", "aria-busy": "true" });
  const head = el("header.viewer-head");
  drawHead(head);
  const waiting = setTimeout(() => { if (turn === state.turn) show(body, el("p.loading", null, "Opening …")); }, 250);
  const old = pane().querySelector(".pages");
  if (old) { pane().querySelector(".viewer-head").replaceWith(head); old.setAttribute("aria-busy", "true"); } else show(pane(), head, body);
  try {
    const here = `documents/${place.document}`;
    // What is most likely wanted is asked for at once, before it is known what kind of document it is.
    if (!state.asText && /\.pdf$/i.test(place.source)) pagePicture(here, page).catch(() => null);
    const about = await kept(here);
    if (turn !== state.turn) return;
    state.document = about;
    const first = page === place.page;
    const drawn = about.picture_pages ? await pagesOf(here, place, page, first, state.asText) : await textOf(here, place, about);
    if (turn !== state.turn) return;
    show(body, drawn);
    drawHead(head);
    show(pane(), head, body);
    body.setAttribute("aria-busy", "false");
    reveal(body);
  } catch (error) {
    if (turn !== state.turn) return;
    drawHead(head);
    show(pane(), head, el("div.pages", null, problemBox(error, draw)));
  } finally {
    clearTimeout(waiting);
  }
}

function drawHead(head) {
  const { place, page, document: about } = state;
  const same = about?.document === place.document ? about : null;
  const isPdf = same !== null && same.picture_pages > 0;
  const pages = same?.pages ?? null;
  show(head,
    el("div.viewer-title", null,
      el("h2", { tabindex: "-1" }, place.source),
      el("p", null, position(place), place.what && place.what !== place.source ? ` · ${place.what}` : "")),
    el("div.viewer-tools", { role: "toolbar", "aria-label": "Page" },
      isPdf && [
        el("button.icon", { type: "button", "aria-label": "Page before ( [ )", disabled: page <= 1, onclick: () => turnPage(-1) }, "‹"),
        el("span.page-number", null, pages ? `${page} / ${pages}` : String(page)),
        el("button.icon", { type: "button", "aria-label": "Next page ( ] )", disabled: pages !== null && page >= pages, onclick: () => turnPage(1) }, "›"),
        page !== place.page && el("button.small", { type: "button", onclick: () => { state.page = place.page; draw(); } }, "Back to the place"),
        el("button.small", { type: "button", "aria-pressed": String(state.asText), onclick: () => { state.asText = !state.asText; draw(); } }, "Text"),
      ],
      el("button.icon.close", { type: "button", "aria-label": "Close the document (Escape)", onclick: closeViewer }, "✕")));
}

function lit(place) {
  const ranges = place.focus ?? [place.lines];
  return (line) => ranges.some(([start, end]) => line >= start && line < end);
}

/** The pages of a place, or one other page of its document. */
async function pagesOf(here, place, page, first, asText) {
  const last = first ? (place.endPage ?? page) : page;
  const end = Math.max(...(place.focus ?? [place.lines]).map((range) => range[1]));
  const numbers = Array.from({ length: Math.min(last - page + 1, PAGES_OF_A_PLACE) }, (_, i) => page + i);
  const tables = asText ? tablesOf(await kept(`${here}/outline`)) : [];
  const got = await Promise.all(numbers.map((n) => onePage(here, place, n, asText, tables)));
  // Where a reference points at, only the lines are told: the place goes on as long as its pages are full of it.
  for (let held = got[got.length - 1]; first && got.length < PAGES_OF_A_PLACE; held = got[got.length - 1]) {
    const lines = held.page.lines;
    if (!lines.length || lines[lines.length - 1].line >= end - 1 || held.page.page >= held.page.pages) break;
    got.push(await onePage(here, place, held.page.page + 1, asText, tables));
  }
  // A place may be told by a section that begins on a page whose lit rows stand on a later one.
  const some = got.filter((one) => one.lit);
  return (first && some.length ? some : got).map((one) => one.node);
}

async function onePage(here, place, number, asText, tables) {
  const path = `${here}/pages/${number}`;
  const image = asText ? null : el("img", { alt: "", decoding: "sync" });
  const [page] = await Promise.all([kept(path), asText ? null : loaded(image, `${path}/picture`)]);
  const isLit = lit(place);
  const rows = page.lines.filter((line) => isLit(line.line));
  const caption = el("figcaption", null, `Page ${number}`);
  if (asText) return { page, lit: rows.length, node: el("figure.page.text", null, caption, linesView(page.lines, isLit, tables)) };
  image.alt = rows.length
    ? `Page ${number} of ${page.source}. Lit: ${rows.map((line) => line.text).join(" ")}`
    : `Page ${number} of ${page.source}. “Text” shows it as text.`;
  return { page, lit: rows.length, node: el("figure.page", null, caption, el("div.sheet", null, image, page.width && lights(page, rows))) };
}

async function loaded(image, path) {
  image.src = await api.picture(path);
  await image.decode();
}

/** The boxes of the lit lines, in the unit of the page. */
function lights(page, rows) {
  const boxed = rows.filter((line) => line.box);
  return svg("svg.lights", { viewBox: `0 0 ${page.width} ${page.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    boxed.map(({ box, line, row }) => svg("rect.lit", {
      x: box.x0 - 3, y: box.top - 1.5, width: box.x1 - box.x0 + 6, height: box.bottom - box.top + 3, rx: 2,
      "data-line": line, "data-row": row,
    })));
}

function tablesOf(outline) {
  return outline.items.filter((item) => item.kind === "table").map((item) => item.lines);
}

/** The lines around a place in a document without pictures, with buttons for more of them. */
async function textOf(here, place, about) {
  const [start, end] = place.focus?.[0] ?? place.lines;
  const range = [Math.max(0, start - LINES_AROUND), end + LINES_AROUND];
  const holder = el("figure.page.text");
  const isLit = lit(place);
  const fill = async () => {
    const [{ lines }, outline] = await Promise.all([
      kept(`${here}/lines?start=${range[0]}&end=${range[1]}`), kept(`${here}/outline`)]);
    show(holder,
      range[0] > 0 && el("button.small.more", { type: "button", onclick: () => { range[0] = Math.max(0, range[0] - 200); fill(); } }, "Show what is before"),
      linesView(lines, isLit, tablesOf(outline)),
      range[1] < about.lines && el("button.small.more", { type: "button", onclick: () => { range[1] += 200; fill(); } }, "Show what follows"));
  };
  await fill();
  return holder;
}

/** Lines with their numbers; those of a table as its rows, with a cell for what each tab parts. */
function linesView(lines, isLit, tables) {
  const inTable = (line) => cellsOf(line.text).length > 1 || tables.some(([start, end]) => line.line >= start && line.line < end);
  const blocks = [];
  for (const line of lines) {
    const kind = inTable(line) ? "table" : "prose";
    const last = blocks.at(-1);
    const turned = last && last.page !== line.page;
    if (turned || last?.kind !== kind) blocks.push({ kind, lines: [], page: line.page, turned });
    blocks.at(-1).lines.push(line);
  }
  return el("div.lines", null, blocks.map(({ kind, lines: some, page, turned }) => [
    turned ? el("p.turned", null, `Page ${page}`) : null,
    kind === "table" ? tableView(some, isLit) : proseView(some, isLit)]));
}

function proseView(lines, isLit) {
  return el("div.prose", null, lines.map((line) => {
    const classes = `div.row${isLit(line.line) ? ".lit" : ""}${line.starts_block ? ".begins" : ""}`;
    return el(classes, { "data-line": line.line }, el("span.n", null, String(line.row)), isLit(line.line) ? el("mark", null, line.text) : el("span", null, line.text));
  }));
}

function tableView(lines, isLit) {
  const widest = Math.max(...lines.map((line) => cellsOf(line.text).length));
  return el("table.cells", null, el("tbody", null, lines.map((line) => {
    const cells = cellsOf(line.text);
    return el(isLit(line.line) ? "tr.lit" : "tr", { "data-line": line.line },
      el("th.n", { scope: "row" }, String(line.row)),
      cells.map((cell, i) => el("td", { colspan: i === cells.length - 1 && cells.length < widest ? widest - i : null },
        isLit(line.line) ? el("mark", null, cell) : cell)));
  })));
}

function reveal(body) {
  const first = body.querySelector("rect.lit, .row.lit, tr.lit");
  if (!first) { body.scrollTop = 0; return; }
  const box = first.getBoundingClientRect();
  const frame = body.getBoundingClientRect();
  body.scrollTop += box.top - frame.top - frame.height / 3;
}
