// The shelf: its documents, files that are dropped onto it, and what became of each file that was read.

import * as api from "./api.js";
import { count, el, emptyState, problemBox, say, show } from "./dom.js";
import { sure } from "./sessions.js";
import { forgetPages } from "./viewer.js";

const LOOK_AGAIN_MS = 600;
const AT_ONCE = 2;
const READ_TOGETHER = 40;
const ROWS = 300;
const OUTCOMES = { added: "read", changed: "read again", renamed: "renamed", unchanged: "as before", removed: "removed", copy: "a copy of another file", failed: "failed" };

/** Show the library. Returns what ends the view. */
export async function libraryView(main, { library, role, accepts, most_upload_mb }) {
  const view = { alive: true, watching: false, begun: false };
  const uploads = el("ul.uploads", { "aria-label": "Uploads" });
  const job = el("section", { "aria-label": "Reading", hidden: true });
  const shelf = el("section", { "aria-label": "Documents" });
  const mayWrite = role !== "read";
  const mayUpload = library.uploads && mayWrite;
  show(main, el("div.view", null,
    el("header", null, el("div", null, el("h1", null, library.library), el("p", { id: "counts" })),
      mayWrite && el("div.tools", null, el("button", { type: "button", onclick: (event) => again(event.currentTarget) }, "Look for changes"))),
    mayUpload ? dropZone(uploads) : null, uploads, job, shelf));
  watch(false);
  await documents();
  return () => { view.alive = false; };

  async function again(button) {
    button.disabled = true;
    try {
      await api.call("POST", "jobs");
      await watch(true);
    } catch (error) {
      show(uploads, el("li", null, problemBox(error)));
    }
    button.disabled = false;
  }

  function dropZone(list) {
    const picker = el("input.visually-hidden", { type: "file", id: "files", "aria-label": "Choose files", multiple: true, accept: accepts.join(","), tabindex: "-1" });
    const where = el("input", { type: "text", id: "collection", value: "default", maxlength: 200, list: "collections", "aria-label": "Collection" });
    const known = el("datalist", { id: "collections" });
    const offer = () => api.get("collections").then(({ items }) => {
      show(known, items.map(({ name }) => el("option", { value: name })));
      // A token that may not see “default” may not add to it either.
      if (items.length && where.value === "default" && !items.some(({ name }) => name === "default")) where.value = items[0].name;
      return null;
    }, (error) => error);
    let offered = offer();
    const zone = el("div.drop", null,
      el("h2", null, "Drop documents here"),
      el("p", null, `${accepts.join(" ")} · up to ${most_upload_mb.toLocaleString("en")} MB each`),
      el("div.choose", null,
        el("button.primary", { type: "button", onclick: () => picker.click() }, "Choose files"), picker, known,
        el("label", { for: "collection" }, "into the collection"), where));
    /** Send files, once it is known which collections there are. */
    const take = async (files) => {
      const error = await offered;
      if (!error) { await send(files, where.value.trim() || "default", list); return; }
      offered = offer();
      const told = el("li", null, problemBox(error, () => { told.remove(); take(files); }));
      list.append(told);
    };
    picker.addEventListener("change", () => { take([...picker.files]); picker.value = ""; });
    for (const kind of ["dragenter", "dragover"]) zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.add("over"); });
    for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.remove("over"); });
    zone.addEventListener("drop", (event) => take([...event.dataTransfer.files]));
    return zone;
  }

  async function send(files, collection, list) {
    const waiting = files.map((file) => {
      const told = el("span", null, "waits");
      const bar = el("progress", { max: 1, value: 0, "aria-label": `Upload of ${file.name}` });
      const row = el("li", null, el("span", null, file.name), told, bar);
      list.append(row);
      return { file, told, bar, row };
    });
    let unread = 0;
    const read = async () => {
      unread = 0;
      try {
        await api.call("POST", "jobs");
        watch(true);
      } catch (error) {
        const row = el("li", null, problemBox(error, () => { row.remove(); read(); }));
        list.append(row);
      }
    };
    const next = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const { file, told, bar, row } = one;
        try {
          if (file.size > most_upload_mb * 2 ** 20) throw new api.Problem({ title: "Too large", detail: `A file may have ${most_upload_mb} MB.` });
          told.textContent = "is sent";
          const { "new": isNew } = await api.upload(collection, file, (share) => { bar.value = share; });
          bar.remove();
          told.replaceWith(el("span.badge.done", null, isNew ? "received" : "replaced"));
          if ((unread += 1) >= READ_TOGETHER) await read();
        } catch (error) {
          bar.remove();
          told.replaceWith(el("span.badge.failed", null, "not taken"));
          const notYours = `Your token may not add to the collection “${collection}”. Choose another one.`;
          row.append(el("span.told", { role: "alert" }, error.status === 404 ? notYours : error.message));
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    if (unread) await read();
  }

  /** Follow the jobs, the one that runs first, until none is left. `begun` says that one was begun, which may have ended by now. */
  async function watch(begun) {
    view.begun ||= begun;
    if (view.watching) return;
    view.watching = true;
    try {
      for (let worked = false; view.alive;) {
        worked ||= view.begun;
        view.begun = false;
        const { items } = await api.get("jobs?limit=20");
        if (!view.alive) return;
        const working = items.filter((one) => one.state === "running" || one.state === "queued");
        worked ||= working.length > 0;
        const shown = working.at(-1) ?? items[0];
        if (shown) await drawJob(shown);
        if (!working.length && worked) {
          forgetPages();
          await documents();
          say("The library is up to date.");
          worked = false;
        }
        if (!working.length && !view.begun) return;
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
    } catch (error) {
      if (view.alive) { job.hidden = false; show(job, problemBox(error, () => watch(false))); }
    } finally {
      view.watching = false;
    }
  }

  async function drawJob(told) {
    const active = told.state === "running" || told.state === "queued";
    const files = active ? [] : (await api.all(`jobs/${told.job}/files`)).filter((one) => one.outcome !== "unchanged");
    if (!view.alive) return;
    const failed = files.filter((one) => one.outcome === "failed");
    const partly = files.filter((one) => one.outcome !== "failed" && one.problems.length);
    job.hidden = false;
    const done = `${told.files_done} of ${count(told.files_total, "file")}`;
    const phase = told.state === "queued" || !told.files_total && told.phase !== "vectors" ? (told.state === "queued" ? "Waits for its turn" : "Looking at the files") : told.phase === "vectors" ? "Working out meanings" : `Reading: ${done}`;
    show(job, el("div.card.job", null,
      el("div.top", null, el("b", { role: "status" }, active ? phase : told.error ? "Reading failed" : failed.length ? `${count(failed.length, "file")} could not be read` : "Everything was read"),
        el(`span.badge.${told.state}`, null, told.state)),
      active ? el("progress", { max: Math.max(told.files_total, 1), value: told.files_done, "aria-label": "Files that were read" }) : null,
      told.error && el("p.told", { role: "alert" }, told.error),
      failed.length ? el("ul.files", { "aria-label": "Files that could not be read" }, failed.map(fileRow)) : null,
      partly.length ? el("details", null, el("summary", null, `${count(partly.length, "file")} with remarks`), el("ul.files", null, partly.map(fileRow))) : null));
  }

  function fileRow(file) {
    return el("li", null, el("span", null, file.path), el(`span.badge.${file.outcome}`, null, OUTCOMES[file.outcome] ?? file.outcome),
      file.error && el("span.told", null, file.error), file.problems.map((told) => el("span.told.light", null, told)));
  }

  async function documents() {
    api.forgetDocuments(); // Others may have changed the shelf since.
    try {
      const [rows, about] = await Promise.all([api.documents(), api.get(`/libraries/${encodeURIComponent(library.library)}`)]);
      if (!view.alive) return;
      const vectors = about.vectors < about.passages && about.vectors ? ` · meanings of ${about.vectors.toLocaleString("en")} worked out` : "";
      document.getElementById("counts").textContent = `${count(about.documents, "document")} · ${count(about.passages, "passage")}${vectors}`;
      const all = [...rows.values()];
      show(shelf, all.length ? table(all) : nothing());
    } catch (error) {
      if (view.alive) show(shelf, problemBox(error, documents));
    }
  }

  function nothing() {
    if (mayUpload) return emptyState("The shelf is empty", "Drop files above, or choose them. They are read at once, and can be asked about as soon as that is done.");
    return emptyState("The shelf is empty", library.uploads ? "Your token may not add documents. Ask who runs this server for one that may." : "Put documents into the folder that is served, then choose “Look for changes”.");
  }

  function table(rows) {
    const body = el("tbody");
    const more = el("p.lead");
    const fill = (words) => {
      const wanted = words.toLowerCase();
      const found = rows.filter((row) => `${row.source} ${row.title}`.toLowerCase().includes(wanted));
      show(body, found.slice(0, ROWS).map(documentRow));
      more.textContent = found.length > ROWS ? `The first ${ROWS} of ${found.length} are shown. Type a part of a name to see others.` : found.length ? "" : "No name or title holds these words.";
    };
    fill("");
    return [
      rows.length > 8 && el("p.tools", null, el("input", { type: "search", placeholder: "Find a document", "aria-label": "Find a document", oninput: (event) => fill(event.target.value) })),
      el("div.card", null, el("table.rows", null,
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "Document"), el("th.wide", { scope: "col" }, "Collection"), el("th.num.wide", { scope: "col" }, "Pages"), el("th.wide", { scope: "col" }, "Standing"),
          mayUpload && el("th", { scope: "col" }, el("span.visually-hidden", null, "Remove")))), body)), more];
  }

  function documentRow(row) {
    return el("tr", null,
      el("td", null, el("a.name", { href: `#/document/${row.document}` }, row.source), el("span.sub", null, row.title), row.status !== "active" && el(`span.badge.narrow.${row.status}`, null, row.status)),
      el("td.wide", null, row.collection), el("td.num.wide", null, String(row.pages)),
      el("td.wide", null, el(`span.badge.${row.status}`, { title: row.status_why || null }, row.status), row.status_why && el("span.sub", null, row.status_why)),
      mayUpload && el("td.num", null, el("button.small", { type: "button", "aria-label": `Remove ${row.source}`, onclick: (event) => sure(event.currentTarget, async () => {
        await api.call("DELETE", `documents/${row.document}`);
        await watch(true);
      }) }, "Remove")));
  }
}
