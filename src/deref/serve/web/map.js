// The map of references: documents on a circle, an arc for what points from one to another, as thick as there are pointers.
//
// The most connected documents are drawn when there are too many; the list below the picture has the same, for those who
// do not see it and for keyboards. A click on an arc or a row lists the pointers themselves.

import * as api from "./api.js";
import { count, el, emptyState, problemBox, show, svg } from "./dom.js";
import { cutInMiddle, shortName } from "./names.js";
import { trails } from "./places.js";

const MOST = 40;
const WIDTH = 1000;
const HEIGHT = 640;
const SHOWN = 200;
const NAME = 32;

/** Show the map of the shelf. */
export async function mapView(main, { library }) {
  const body = el("div");
  show(main, el("div.view", null, el("header", null, el("div", null, el("h1", null, "Reference map"), el("p", null, "An arrow leads from the document that points to the one it points at. Click an arrow, or a row below, to see the pointers; click a document, or its name, to open it."))), body));
  if (!library.documents) {
    show(body, emptyState("Nothing to draw yet", "There is no document on this shelf.", el("a.button.primary", { href: "#/library" }, "Open the library")));
    return;
  }
  show(body, el("p.loading", { role: "status" }, "Drawing …"));
  api.forgetDocuments(); // Others may have changed the shelf since.
  try {
    const [graph, documents] = await Promise.all([api.get("graph?level=document"), api.documents()]);
    if (body.isConnected) drawMap(body, graph, documents);
  } catch (error) {
    show(body, problemBox(error, () => mapView(main, { library })));
  }
}

function drawMap(body, graph, documents) {
  const state = { external: false, chosen: null };
  const picture = el("div.card.map", { tabindex: "0", role: "region", "aria-label": "Picture of the map" });
  const told = el("p.legend", { role: "status" });
  const table = el("section", { "aria-label": "Who points at whom" });
  const pointers = el("section", { "aria-label": "Pointers", "aria-live": "polite" });
  const withExternal = el("button.small", { type: "button", "aria-pressed": "false", onclick: () => {
    state.external = !state.external;
    withExternal.setAttribute("aria-pressed", String(state.external));
    fill();
  } }, "Works off the shelf");
  show(body, el("p.tools", null, withExternal, told), picture, pointers, table);

  const fill = () => {
    const all = graph.nodes.filter((node) => node.kind === "document" || state.external);
    const degree = new Map(all.map((node) => [node.id, 0]));
    for (const { from, to, weight } of graph.edges) for (const end of [from, to]) if (degree.has(end)) degree.set(end, degree.get(end) + weight);
    const nodes = [...all].sort((a, b) => degree.get(b.id) - degree.get(a.id)).slice(0, MOST);
    const drawn = new Set(nodes.map((node) => node.id));
    const edges = graph.edges.filter(({ from, to }) => drawn.has(from) && drawn.has(to));
    told.textContent = `${count(nodes.length, "place")}${all.length > nodes.length ? ` of ${all.length}, those with the most pointers` : ""} · ${count(graph.references, "reference")} on the shelf`;
    if (!edges.length) {
      show(picture, emptyState("No document points at another", "Pointers inside a document are listed on its own page, in the Library."));
    } else {
      show(picture, circle(arranged(nodes, edges), edges, degree, documents, choose));
      picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2; // On a phone the picture is wider than the page.
    }
    show(table, edges.length ? edgeTable(edges, graph.nodes, documents, choose) : null);
  };

  async function choose(edge) {
    for (const node of picture.querySelectorAll(".edge")) node.classList.toggle("chosen", node.dataset.from === edge.from && node.dataset.to === edge.to);
    const name = (id) => graph.nodes.find((node) => node.id === id)?.name ?? id;
    show(pointers, el("h2", null, `${name(edge.from)} → ${name(edge.to)}`), el("p.loading", { role: "status" }, "Collecting the pointers …"));
    try {
      const from = documents.get(edge.from);
      const to = documents.get(edge.to);
      const every = await api.all(`documents/${from.document}/references${to ? "?status=resolved&status=ambiguous" : "?status=external"}`);
      const rows = every.filter((row) => (to ? row.targets.some((target) => target.document === to.document) : names(row, name(edge.to))));
      show(pointers, el("h2", null, `${name(edge.from)} → ${name(edge.to)}`), trails(rows.slice(0, SHOWN)),
        rows.length > SHOWN && el("p.lead", null, `The first ${SHOWN} of ${rows.length} are shown.`));
    } catch (error) {
      show(pointers, problemBox(error, () => choose(edge)));
    }
    pointers.scrollIntoView({ block: "nearest" });
  }
  fill();
}

/** A document by its short name; a work by its whole one, which may have a slash in it. */
function called(node) { return node.kind === "document" ? shortName(node.name) : node.name; }

/** Tell whether an external reference is to this work: it is called so, or the reason names it. */
function names(row, work) {
  return [row.container, row.text, row.why].some((text) => text?.includes(work));
}

/** Order documents so that those with many pointers between them are neighbours: each next one is the nearest to the last. */
function arranged(nodes, edges) {
  const near = new Map();
  for (const { from, to, weight } of edges) for (const pair of [`${from}\n${to}`, `${to}\n${from}`]) near.set(pair, (near.get(pair) ?? 0) + weight);
  const rest = [...nodes];
  const order = rest.splice(0, 1);
  while (rest.length) {
    const last = order.at(-1).id;
    let best = 0;
    rest.forEach((node, i) => { if ((near.get(`${last}\n${node.id}`) ?? 0) > (near.get(`${last}\n${rest[best].id}`) ?? 0)) best = i; });
    order.push(...rest.splice(best, 1));
  }
  return order;
}

function circle(nodes, edges, degree, documents, choose) {
  const centre = [WIDTH / 2, HEIGHT / 2];
  const radius = [260, 235];
  const at = new Map(nodes.map((node, i) => {
    // Down the right side and up the left one in even steps, so that no name stands on another.
    const down = (2 * i) / nodes.length;
    const v = down <= 1 ? 2 * down - 1 : 3 - 2 * down;
    const h = Math.sqrt(1 - v * v) * (down <= 1 ? 1 : -1);
    return [node.id, { x: centre[0] + radius[0] * h, y: centre[1] + radius[1] * v, h, v }];
  }));
  const heaviest = Math.max(...edges.map((edge) => edge.weight));
  const most = Math.max(...degree.values(), 1);
  const light = (id) => {
    root.querySelectorAll(".edge").forEach((node) => node.classList.toggle("faint", id !== null && node.dataset.from !== id && node.dataset.to !== id));
    const joined = new Set(edges.filter(({ from, to }) => from === id || to === id).flatMap(({ from, to }) => [from, to]));
    root.querySelectorAll(".node").forEach((node) => node.classList.toggle("faint", id !== null && node.dataset.id !== id && !joined.has(node.dataset.id)));
  };
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Map of ${nodes.length} places and ${edges.length} connections. The list below has the same.` },
    svg("g", null, [...edges].sort((a, b) => a.weight - b.weight).map((edge) => arc(edge, at.get(edge.from), at.get(edge.to), centre, heaviest, choose))),
    svg("g", null, nodes.map((node) => {
      const { x, y, h, v } = at.get(node.id);
      const size = 5 + 9 * Math.sqrt(degree.get(node.id) / most);
      const right = h >= 0;
      const name = called(node);
      const upright = Math.abs(h) < 0.15;
      return svg(`g.node.${node.kind}`, { "data-id": node.id, onclick: () => { if (documents.has(node.id)) location.hash = `#/document/${documents.get(node.id).document}`; }, onmouseenter: () => light(node.id), onmouseleave: () => light(null) },
        svg("title", null, `${node.name}: ${node.references_in ?? 0} point at it, ${node.references_out ?? 0} in it point elsewhere`),
        svg("circle", { cx: x, cy: y, r: size }),
        svg("text", {
          x: upright ? x : x + (right ? size + 7 : -size - 7), y: upright ? y + Math.sign(v) * (size + 16) - (v < 0 ? -4 : 0) : y + 4,
          "text-anchor": upright ? "middle" : right ? "start" : "end",
        }, cutInMiddle(name, NAME)));
    })));
  return root;
}

function arc(edge, from, to, [cx, cy], heaviest, choose) {
  // Bent towards the centre, and to one side of it, so that the two directions lie apart.
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const mid = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const bend = [mid[0] + (cx - mid[0]) * 0.5 - dy * 0.08, mid[1] + (cy - mid[1]) * 0.5 + dx * 0.08];
  const width = 1.2 + 7 * Math.sqrt(edge.weight / heaviest);
  const line = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${bend[0].toFixed(1)} ${bend[1].toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  return svg("path.edge", {
    d: line + arrow([from.x, from.y], bend, [to.x, to.y], 5 + 1.1 * width),
    "stroke-width": width.toFixed(1), "data-from": edge.from, "data-to": edge.to, onclick: () => choose(edge),
  }, svg("title", null, `${edge.from} → ${edge.to}: ${count(edge.weight, "reference")}`));
}

/** The head of an arrow on a curve, past its middle, where the ends do not cover it. */
function arrow(from, bend, to, size) {
  const t = 0.66;
  const at = [0, 1].map((i) => (1 - t) ** 2 * from[i] + 2 * t * (1 - t) * bend[i] + t ** 2 * to[i]);
  const [dx, dy] = [0, 1].map((i) => (1 - t) * (bend[i] - from[i]) + t * (to[i] - bend[i]));
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const wing = (side) => `${(at[0] - size * (ux + side * 0.7 * uy)).toFixed(1)} ${(at[1] - size * (uy - side * 0.7 * ux)).toFixed(1)}`;
  return `M${wing(1)}L${at[0].toFixed(1)} ${at[1].toFixed(1)}L${wing(-1)}`;
}

function edgeTable(edges, nodes, documents, choose) {
  const linked = (id) => (documents.has(id) ? el("a.name", { href: `#/document/${documents.get(id).document}` }, names.get(id)) : names.get(id));
  const names = new Map(nodes.map((node) => [node.id, called(node)]));
  const sorted = [...edges].sort((a, b) => b.weight - a.weight);
  return [el("h2", null, "Who points at whom"), el("div.card", null, el("table.rows", null,
    el("thead", null, el("tr", null, ["From", "To"].map((name) => el("th", { scope: "col" }, name)), el("th.num", { scope: "col" }, "Pointers"))),
    el("tbody", null, sorted.slice(0, SHOWN).map((edge) => el("tr", null,
      el("td", null, linked(edge.from)), el("td", null, linked(edge.to)),
      el("td.num", null, el("button.small", { type: "button", "aria-label": `${count(edge.weight, "pointer")} from ${names.get(edge.from)} to ${names.get(edge.to)}`, onclick: () => choose(edge) }, String(edge.weight))))))))];
}
