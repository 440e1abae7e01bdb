// The sessions of the caller, beside the questions: go on with one, begin a new one, forget one.

import * as api from "./api.js";
import { count, dialog, el, problemBox, save, say, show, toolButton } from "./dom.js";

const SHOWN = 100;
const SURE_S = 8; // Who has it read out to them needs some.

/** The pane of sessions; `listSessions` fills it. */
export function sessionsPane() {
  return el("details.sessions", { open: matchMedia("(min-width: 1101px)").matches },
    el("summary", null, "Sessions"),
    el("a.button.new", { href: "#/ask" }, "New session"),
    el("nav", { "aria-label": "Sessions" }, el("ul.session-list")));
}

/** List the sessions in the pane, newest first; `current` is the one that is open. */
export async function listSessions(main, current) {
  const list = main.querySelector(".session-list");
  if (!list) return;
  try {
    const { items, next } = await api.get(`sessions?limit=${SHOWN}`);
    show(list, items.length ? items.map((row) => one(row, main, current)) : el("li.none", null, "What you ask is kept here."),
      next && el("li.none", null, `The newest ${SHOWN} are listed.`));
  } catch (error) {
    show(list, el("li", null, problemBox(error, () => listSessions(main, current))));
  }
}

function one(row, main, current) {
  const title = row.title || "Untitled";
  const when = new Date(row.created * 1000);
  return el("li", null,
    el("a", { href: `#/session/${row.session}`, "aria-current": row.session === current ? "page" : null, title: when.toLocaleString() },
      el("span.session-title", null, title), el("span.session-about", null, `${moment(when)} · ${count(row.questions, "question")}`)),
    el("button.icon.take", { type: "button", "aria-label": `Export the session “${title}”`, title: "Export", onclick: () => takeAlong(row, title) }, "↓"),
    el("button.icon.drop", { type: "button", "aria-label": `Delete the session “${title}”`, title: "Delete", onclick: (event) => sure(event.currentTarget, async () => {
      await api.call("DELETE", `sessions/${row.session}`);
      say("The session is deleted.");
      if (row.session === current) location.hash = "#/ask";
      else await listSessions(main, current);
    }) }, "✕"));
}

/** A time as people tell it: of today the hour, else the day. */
function moment(when) {
  const today = when.toDateString() === new Date().toDateString();
  return today ? when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }) : when.toLocaleDateString("en", { day: "numeric", month: "short" });
}

const FORMS = { markdown: ["Markdown", "text/markdown", "md"], json: ["JSON", "application/json", "json"] };

/** Offer a session as a file: what `deref sessions export` writes. */
function takeAlong(row, title) {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "session";
  dialog("Export the session",
    el("p", null, "Markdown is for people, with each quote and its place. JSON has every position, and what became of each document."),
    el("p.actions", null, Object.entries(FORMS).map(([form, [told, type, ending]]) => toolButton(told, `${name}.${ending}`, async () => {
      save(`${name}.${ending}`, type, await api.getText(`sessions/${row.session}/export?format=${form}`));
      return "Saved";
    }))));
}

/** Do something that cannot be undone at the second click. */
export function sure(button, act) {
  if (button.dataset.sure) {
    button.disabled = true;
    act().then(() => { if (document.activeElement === document.body) document.getElementById("main").focus(); },
      (error) => { button.replaceWith(problemBox(error)); });
    return;
  }
  const before = button.textContent;
  const called = button.getAttribute("aria-label") ?? before;
  button.dataset.sure = "yes";
  button.textContent = "Sure?";
  button.setAttribute("aria-label", `Sure? ${called}`);
  button.classList.add("danger");
  say(`${called}? Press again within ${SURE_S} seconds.`);
  setTimeout(() => {
    delete button.dataset.sure;
    button.textContent = before;
    button.setAttribute("aria-label", called);
    button.classList.remove("danger");
  }, 1000 * SURE_S);
}
