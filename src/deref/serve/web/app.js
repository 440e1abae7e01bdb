// The page: which view is shown, which library, the theme, the keys, and the token where the server wants one.

import * as api from "./api.js";
import { askView } from "./ask.js";
import { dialog, el, emptyState, problemBox, say, show } from "./dom.js";
import { closeViewer, forgetPages, turnPage } from "./viewer.js";

const main = document.getElementById("main");
const chooser = document.getElementById("library");
const THEMES = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

// Views that are not needed for the first question are loaded when they are opened.
const VIEWS = {
  ask: async (at) => askView(main, { ...at, session: null }),
  session: async (at) => askView(main, { ...at, session: at.rest }),
  library: async (at) => (await import("./library.js")).libraryView(main, at),
  document: async (at) => (await import("./document.js")).documentView(main, at),
  map: async (at) => (await import("./map.js")).mapView(main, at),
  check: async (at) => (await import("./check.js")).checkView(main, at),
};

const here = { library: null, role: "read", accepts: [], most_upload_mb: 0 };
let leave = null;
let turn = 0;

async function route() {
  const mine = (turn += 1);
  const [, view = "ask", rest = ""] = location.hash.split("/");
  const name = Object.hasOwn(VIEWS, view) ? view : "ask";
  leave?.();
  leave = null;
  const shown = { session: "ask", document: "library" }[name] ?? name;
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.dataset.view === shown) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.title = `${shown[0].toUpperCase()}${shown.slice(1)} · Deref`;
  document.body.dataset.view = shown;
  try {
    await chooseLibrary();
    if (mine !== turn) return;
    if (!here.library) { show(main, emptyState("There is no library for you", "Ask who runs this server for a token that sees one.")); return; }
    const ending = await VIEWS[name]({ ...here, rest });
    if (mine !== turn) { ending?.(); return; }
    leave = ending ?? null;
    if (mine > 1 && document.activeElement === document.body) main.focus(); // What had the focus has gone with its view.
    if (mine > 1) say(`${main.querySelector("h1")?.textContent ?? document.title} is shown.`);
  } catch (error) {
    if (mine === turn) show(main, el("div.view", null, el("h1.visually-hidden", null, "Something went wrong"), problemBox(error, route)));
  }
}

/** See which libraries there are, and take the one that was chosen, else the first. */
async function chooseLibrary() {
  const { items, ...rest } = await api.get("/libraries");
  Object.assign(here, rest);
  const wanted = localStorage.getItem("deref-library");
  const library = items.find((one) => one.library === wanted) ?? items[0] ?? null;
  if (library && library.library !== here.library?.library) api.useLibrary(library.library);
  here.library = library;
  chooser.hidden = items.length < 2;
  show(chooser, items.map((one) => el("option", { value: one.library, selected: one === library }, one.library)));
}

chooser.addEventListener("change", () => {
  localStorage.setItem("deref-library", chooser.value);
  closeViewer();
  forgetPages();
  here.library = null;
  if (!/^#\/(session|document)/.test(location.hash)) route();
  else location.hash = "#/ask";
});

function themed(step) {
  const names = Object.keys(THEMES);
  let theme = localStorage.getItem("deref-theme") ?? "auto";
  if (step) theme = names[(names.indexOf(theme) + 1) % names.length];
  localStorage.setItem("deref-theme", theme);
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  const [sign, told] = THEMES[theme] ?? THEMES.auto;
  button.textContent = sign;
  button.title = `Colours: ${told}`;
  button.setAttribute("aria-label", `Colours: ${told}. Change`);
}

document.getElementById("theme").addEventListener("click", () => themed(true));
document.getElementById("keys").addEventListener("click", showKeys);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });

const KEYS = [
  ["/", "Write a question"], ["Enter", "Ask"], ["Shift + Enter", "New line in the question"],
  ["j   k", "Next source, source before: opens it"], ["[   ]", "Page before, next page"], ["Esc", "Close the document"],
  ["g then a, l, m, c", "Go to Ask, Library, Map, Check"], ["?", "These keys"],
];

function showKeys() {
  if (document.querySelector("dialog[open]")) return;
  dialog("Keyboard", el("dl.keys", null, KEYS.map(([keys, told]) => el("div", null, el("dt", null, keys.split("   ").map((key) => el("kbd", null, key))), el("dd", null, told)))));
}

function stepSource(by) {
  const chips = [...main.querySelectorAll(".chip")];
  if (!chips.length) return;
  const at = chips.findIndex((chip) => chip.getAttribute("aria-current") === "location");
  const next = chips[Math.min(chips.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  next.scrollIntoView({ block: "nearest" });
  next.click();
}

let going = 0;
const GO = { a: "ask", l: "library", m: "map", c: "check" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") { if (closeViewer()) event.preventDefault(); return; }
  if (event.target.closest("input, textarea, select")) return;
  const act = {
    "/": () => { const box = document.getElementById("question"); if (box) box.focus(); else location.hash = "#/ask"; },
    "?": showKeys, "[": () => turnPage(-1), "]": () => turnPage(1), j: () => stepSource(1), k: () => stepSource(-1),
    g: () => { going = Date.now(); },
  }[event.key];
  if (Date.now() - going < 1200 && GO[event.key]) { event.preventDefault(); going = 0; location.hash = `#/${GO[event.key]}`; return; }
  if (act) { event.preventDefault(); act(); }
});

let tokenTried = false;

/** Ask for a token above whatever is shown, which goes on with it. */
function askForToken() {
  const refused = tokenTried;
  tokenTried = true;
  return new Promise((resolve) => {
    let given = false;
    const field = el("input", { type: "password", id: "token", autocomplete: "off", required: true, placeholder: "deref_…" });
    const form = el("form.token", null,
      el("h2", { id: "token-title" }, "This server asks for a token"),
      el("p", null, "Whoever runs it makes one with ", el("code", null, "deref tokens add"), ". It is kept in this tab only, until you close it."),
      refused ? el("p.problem", { role: "alert" }, "That token is not valid here. See that it was copied whole, or ask for another.") : null,
      el("label", { for: "token" }, "Token"), field, el("button.primary", { type: "submit" }, "Go on"));
    const box = el("dialog", { "aria-labelledby": "token-title" }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      given = true;
      box.close();
      resolve(field.value.trim());
    });
    box.addEventListener("close", () => { if (given) box.remove(); else box.showModal(); }); // Nothing is there without one.
    document.body.append(box);
    box.showModal();
    field.focus();
  });
}

let tokenAsked = null;
api.onTokenWanted(() => (tokenAsked ??= askForToken().finally(() => { tokenAsked = null; })));
themed(false);
addEventListener("hashchange", route);
route();
