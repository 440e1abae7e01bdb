// The questions of a session, each with its answer, and the box for the next one.
//
// An answer is streamed: what happens is told in words, a model's pieces are shown while they come, and the answer that is
// checked takes their place. A question is asked in a session, so that the next one knows those before it.

import * as api from "./api.js";
import { answerView, plainText } from "./answer.js";
import { count, el, emptyState, problemBox, save, say, show, toolButton } from "./dom.js";
import { listSessions, sessionsPane } from "./sessions.js";
import { shortName } from "./names.js";

const settings = { where: "", recipe: "", model: "", budget: "", passages: "" };
const QUOTES = "none";
const STEPS = ["not at all", "one step", "two steps", "three steps"];
let working = null;

function whoWrites(model) { return model === QUOTES ? "quotes alone" : model; }

/** Show a session, or a new one when `session` is null. Returns what ends the view. */
export async function askView(main, { session, library }) {
  const turns = el("div.turns", { "aria-live": "off" });
  const form = askForm(library, (text) => askOne(text));
  const view = { session };
  show(main, el("div.ask-view", null, sessionsPane(), el("div.conversation", null, el("h1.visually-hidden", null, "Questions and answers"), turns, form)));
  listSessions(main, session);
  if (session) {
    try {
      const kept = await api.get(`sessions/${encodeURIComponent(session)}`);
      show(turns, kept.turns.map(pastTurn));
      scrollToEnd(turns);
    } catch (error) {
      if (error.status === 404) view.session = null; // The next question begins a new one.
      show(turns, problemBox(error.status === 404 ? new api.Problem({ title: "There is no such session", detail: "It was deleted, or belongs to somebody else. What you ask now begins a new one." }) : error));
    }
  } else {
    show(turns, welcome(library));
  }
  if (matchMedia("(min-width: 901px)").matches) form.querySelector("textarea").focus();

  async function askOne(text) {
    turns.querySelectorAll(":scope > .empty, :scope > .problem").forEach((node) => node.remove());
    const again = () => { turn.node.remove(); askOne(text); };
    const how = chosen();
    const turn = newTurn(text, how, again);
    turns.append(turn.node);
    turn.node.scrollIntoView({ block: "start" });
    const control = new AbortController();
    working = { control, question: null };
    form.working(true, async () => {
      const { question } = working ?? {};
      control.abort();
      if (question) await api.call("DELETE", `questions/${question}`).catch(() => null); // It ends by itself when nobody listens.
    });
    try {
      if (!view.session) {
        view.session = (await api.call("POST", "sessions", { title: text.slice(0, 120) })).session;
        history.replaceState(null, "", `#/session/${view.session}`);
        listSessions(main, view.session);
      }
      const events = api.ask({ question: text, session: view.session, ...how }, {
        signal: control.signal, begun: (id) => { if (working) working.question = id; },
      });
      for await (const frame of events) turn.hear(frame);
      listSessions(main, view.session);
    } catch (error) {
      if (error.name === "AbortError") turn.stopped();
      else turn.failed(error);
    } finally {
      working = null;
      form.working(false);
    }
  }
  return () => working?.control.abort();
}

function chosen() {
  return {
    where: settings.where.trim() || null,
    recipe: settings.recipe || null,
    model: settings.model || null,
    budget: settings.budget === "" ? null : Number(settings.budget),
    passages: settings.passages === "" ? null : Number(settings.passages),
  };
}

function welcome(library) {
  if (!library.documents) {
    return emptyState("Nothing to ask yet", library.uploads
      ? "Put documents on the shelf first. A question can be asked as soon as they are read."
      : "No document of this folder has been read yet. The Library shows how far it is, and what could not be read.",
    el("a.button.primary", { href: "#/library" }, library.uploads ? "Add documents" : "Open the library"));
  }
  return el("div.empty.welcome", null,
    el("h2", null, "Ask your documents"),
    el("p", null, `${count(library.documents, "document")} on this shelf. Answers are quoted from them, to the line. `
      + "Where the text says “see Table 3”, Table 3 is read too, and both ends are shown."),
    el("ul.tips", null,
      el("li", null, el("b", null, "Click a number"), " to see the page with the exact lines lit."),
      el("li", null, el("b", null, "Follow the trail"), " from the words that point to the place they point at."),
      el("li", null, el("b", null, "Nothing is guessed:"), " what leads nowhere, or to several places, is listed with the reason.")));
}

function newTurn(text, how, again) {
  const steps = el("ol.steps", { "aria-label": "What is happening" });
  const draft = el("div.draft", { hidden: true });
  const body = el("div.turn-body", null, el("div.working", { role: "status" }, el("span.pulse", { "aria-hidden": "true" }), el("span.now", null, "Searching")), steps, draft);
  const node = el("article.turn", { "aria-busy": "true", "aria-label": text }, el("h2.question", null, text), askedSo(how), body);
  const done = (...content) => { show(body, ...content); node.setAttribute("aria-busy", "false"); };
  const failed = (error) => done(problemBox(error, again));
  const hear = ({ event, data }) => {
    if (event === "answer") {
      done(answerView(data), turnTools(text, data, working?.question));
      say(`Answered: ${data.completeness.replace("_", " ")}, ${count(data.citations.length, "source")}.`);
    } else if (event === "problem") {
      failed(new api.Problem(data));
    } else if (event === "piece") {
      draft.textContent = data.text === "" ? "" : draft.dataset.pass === String(data.pass) ? draft.textContent + data.text : data.text;
      draft.dataset.pass = data.pass;
      draft.hidden = !draft.textContent;
    } else {
      const told = step(event, data);
      if (told) {
        steps.append(el("li", null, told));
        body.querySelector(".now").textContent = told;
      }
    }
  };
  const stopped = () => done(el("p.lead", null, "Stopped. Ask again, or something else."));
  return { node, hear, failed, stopped };
}

/** What an event of the trace means to a reader; null for those that say nothing to one. */
function step(event, data) {
  switch (event) {
    case "stage_ran": return data.stage === "legs" ? `Found ${count(data.after.length, "passage")} by their words and meaning` : null;
    case "pass_written": return `Read ${count(data.passages.length, "passage")}`;
    case "decided": return data.verdict === "resolve" ? "Some of what they point at would change the answer" : "Checking the answer";
    case "pursued": return `${data.followed ? "Followed" : "Not followed"} “${data.resolution.reference.text}”`;
    case "retried": return `Searched again: ${data.why}`;
    default: return null;
  }
}

function pastTurn(turn) {
  const body = turn.answer ? [answerView(turn.answer), turnTools(turn.text, turn.answer, turn.question)]
    : turn.state === "running" ? el("p.lead", null, "This question is still being answered. Open the session again in a moment.")
      : problemBox(new api.Problem(turn.problem ?? {}));
  return el("article.turn", { "aria-label": turn.text }, el("h2.question", null, turn.text), askedSo(turn), el("div.turn-body", null, body));
}

function turnTools(text, answer, question) {
  return el("p.turn-tools", null,
    toolButton("Copy with sources", "The question, the answer and its sources, as text", async () => {
      await navigator.clipboard.writeText(plainText(text, answer));
      return "Copied";
    }),
    question && toolButton("Trace", "What happened, as a file: “deref explain” tells it, “deref replay” does it again", async () => {
      save(`${question}.jsonl`, "application/x-ndjson", await api.getText(`questions/${question}/trace`));
      return "Saved";
    }));
}

function askForm(library, ask) {
  const box = el("textarea", { id: "question", rows: 1, maxlength: 4000, placeholder: "Ask a question …", "aria-describedby": "ask-help", enterkeyhint: "send" });
  const button = el("button.primary", { type: "submit" }, "Ask");
  const form = el("form.ask-form", { "aria-label": "Ask a question" },
    el("label.visually-hidden", { for: "question" }, "Question"),
    el("div.ask-row", null, box, button),
    el("div.ask-foot", null, settingsPart(library.offered), el("p.hint", { id: "ask-help" }, "Enter asks · Shift+Enter for a new line")));
  let stop = null;
  const grow = () => { box.rows = Math.min(6, Math.max(1, box.value.split("\n").length, Math.ceil(box.value.length / 90))); };
  box.addEventListener("input", grow);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (!stop) form.requestSubmit(); // What is written meanwhile is the next question, and does not stop this one.
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (stop) { stop(); return; }
    const text = box.value.trim();
    if (!text) { box.focus(); return; }
    box.value = "";
    grow();
    ask(text);
  });
  form.working = (on, ending) => {
    stop = on ? ending : null;
    button.textContent = on ? "Stop" : "Ask";
    button.classList.toggle("stop", on);
  };
  return form;
}

/** How a question was asked where it was not as the server has it, in words; null when it was. */
function askedSo({ where, recipe, model, budget, passages }) {
  const told = [
    where && `only from ${where}`,
    recipe && `recipe ${recipe}`,
    model && (model === QUOTES ? "quoted, no model" : `written by ${model}`),
    budget !== null && `references ${budget ? `followed ${STEPS[budget]}` : "not followed"}`,
    passages && `${count(passages, "passage")} first`,
  ].filter(Boolean);
  return told.length ? el("p.asked-so", null, told.join(" · ")) : null;
}

function choice(name, unless, options) {
  return el("select", { name }, el("option", { value: "" }, unless), options.map(([value, told, title]) => el("option", { value, title }, told)));
}

function settingsPart(offered) {
  for (const [name, known] of [["recipe", offered.recipes.map((one) => one.name)], ["model", offered.models]]) {
    if (!known.includes(settings[name])) settings[name] = ""; // Another library offers others.
  }
  if (settings.budget > offered.most_budget) settings.budget = "";
  const told = el("p.told", { id: "recipe-told", role: "status" });
  const tellRecipe = () => { told.textContent = offered.recipes.find((one) => one.name === settings.recipe)?.told ?? ""; };
  tellRecipe();
  const note = el("span.settings-note");
  const tell = () => {
    const set = Object.values(settings).filter((value) => value !== "").length;
    note.textContent = set ? ` · ${set} set` : "";
  };
  const bound = (name, node, changed = () => null) => {
    node.value = settings[name];
    node.addEventListener("input", () => { settings[name] = node.checkValidity() ? node.value : ""; tell(); changed(); });
    return node;
  };
  tell();
  const names = el("datalist", { id: "filters" });
  api.documents().then((rows) => show(names, [...rows.keys()].slice(0, 200).map((name) => el("option", { value: `document:"${name}"` }, shortName(name)))), () => null);
  return el("details.settings", null,
    el("summary", null, "Settings for the next question", note),
    el("div.fields", null,
      el("label", null, "Answer only from", bound("where", el("input", { type: "text", maxlength: 2000, list: "filters", placeholder: "document:lease* AND NOT page:1-3" })), names),
      el("label", null, "Follow references", bound("budget", choice("budget", `as set (${STEPS[offered.unless_chosen.budget]})`,
        STEPS.slice(0, offered.most_budget + 1).map((step, n) => [String(n), step])))),
      offered.recipes.length > 0 && el("label", null, "Search by the recipe", bound("recipe", choice("recipe", "as set", offered.recipes.map((one) => [one.name, one.name, one.told])), tellRecipe)),
      offered.models.length > 0 && el("label", null, "Written by", bound("model", choice("model", `as set (${whoWrites(offered.unless_chosen.model)})`, offered.models.map((one) => [one, whoWrites(one)])))),
      el("label", null, "Passages to read first", bound("passages", el("input", { type: "number", min: 1, max: 50, placeholder: "as set" }))),
      told));
}

function scrollToEnd(turns) { turns.lastElementChild?.scrollIntoView({ block: "start" }); }
