// The public API, /api/v1: JSON, lists that come in parts, streams that are taken up again, uploads with progress.
//
// An error is a Problem: `title`, `message` that says what to do, `status` (0: the server was not reached).

const ROOT = "/api/v1";
const TOKEN = "deref-token";
const TAKE_UP_AGAIN = 5;
const PICTURES = 40;

// What the bare names of the statuses say to nobody but programs.
const TITLES = { 400: "This could not be understood", 422: "This could not be understood", 409: "This cannot be done now", 500: "Something failed inside Deref", 503: "This cannot be served now" };

export class Problem extends Error {
  constructor({ title, detail, status }) {
    super(detail || "The server gave no reason. Its log may tell more.");
    this.title = TITLES[status] ?? (title || "The server could not do this");
    this.status = status ?? 0;
  }
}

let askForToken = null;
let library = null;

/** Have `asking` called when the server wants a token; it resolves to one. */
export function onTokenWanted(asking) { askForToken = asking; }

/** Choose the library that the paths of `api` are in. */
export function useLibrary(id) { library = id; documentsByName = null; }

function headers(more) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}`, ...more } : { ...more };
}

function address(path) {
  if (path.startsWith(ROOT)) return path;
  return path.startsWith("/") ? ROOT + path : `${ROOT}/libraries/${encodeURIComponent(library)}/${path}`;
}

async function problemOf(response) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // What stands before the server, a proxy say, has its own pages of errors.
  }
  return new Problem({ status: response.status, title: told.title, detail: told.detail });
}

async function send(path, options = {}) {
  for (;;) {
    let response;
    try {
      response = await fetch(address(path), { ...options, headers: headers(options.headers) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ title: "The server does not answer", detail: "See that “deref serve” is still running, then try again." });
    }
    if (response.ok || response.status === 304) return response;
    if (response.status !== 401 || !askForToken) throw await problemOf(response);
    sessionStorage.setItem(TOKEN, await askForToken());
  }
}

/** GET as JSON. A path without a slash before it is inside the library. */
export async function get(path, options) { return (await send(path, options)).json(); }

/** GET as text, a file to keep. */
export async function getText(path) { return (await send(path)).text(); }

/** Send a method with JSON, and return JSON, or null when nothing comes back. */
export async function call(method, path, body) {
  const options = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await send(path, options);
  return response.status === 204 ? null : response.json();
}

/** Return all items of a list, whose parts are got one after the other. */
export async function all(path) {
  const items = [];
  let next = path + (path.includes("?") ? "&" : "?") + "limit=500";
  while (next) {
    const part = await get(next);
    items.push(...part.items);
    next = part.next;
  }
  return items;
}

let documentsByName = null;

/** Return all documents as a Map by name, kept until `forgetDocuments`. */
export async function documents() {
  documentsByName ??= all("documents").then((rows) => new Map(rows.map((row) => [row.source, row])));
  try {
    return await documentsByName;
  } catch (error) {
    documentsByName = null;
    throw error;
  }
}

/** Forget what the documents are: the library has changed. */
export function forgetDocuments() { documentsByName = null; }

const pictures = new Map();

const comingPictures = new Map();

/** Return a picture as an address of this page. It is sent once: later the server is only asked whether it may still be seen. */
export async function picture(path) {
  if (!comingPictures.has(path)) {
    comingPictures.set(path, gotPicture(path, pictures.get(path)).finally(() => comingPictures.delete(path)));
  }
  const got = await comingPictures.get(path);
  pictures.delete(path);
  pictures.set(path, got);
  if (pictures.size > PICTURES) {
    const [oldest, { url }] = pictures.entries().next().value;
    pictures.delete(oldest);
    URL.revokeObjectURL(url);
  }
  return got.url;
}

async function gotPicture(path, before) {
  const response = await send(path, { cache: "no-store", headers: before ? { "If-None-Match": before.tag } : {} });
  if (response.status === 304) return before;
  return { tag: response.headers.get("ETag"), url: URL.createObjectURL(await response.blob()) };
}

/** Yield the frames of a stream of server-sent events: {id, event, data}. */
async function* frames(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const frame = { id: null, event: "message", data: "" };
      for (const line of block.split(/\r?\n/)) {
        const at = line.indexOf(":");
        if (at > 0) frame[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "");
      }
      if (frame.data) yield { ...frame, data: JSON.parse(frame.data) };
    }
  }
}

/** Ask, and yield what happens. A connection that breaks is taken up behind the last event. `begun` is told the id of the question. */
export async function* ask(question, { signal, begun }) {
  let response = await send("ask/stream", {
    method: "POST", signal, body: JSON.stringify(question), headers: { "Content-Type": "application/json" },
  });
  const id = response.headers.get("Deref-Question");
  begun(id);
  let last = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      response ??= await send(`questions/${id}/events`, { signal, headers: { "Last-Event-ID": String(last) } });
      for await (const frame of frames(response)) {
        if (frame.id !== null) last = Number(frame.id);
        yield frame;
        if (frame.event === "answer" || frame.event === "problem") return;
      }
    } catch (error) {
      // What the server itself says, with a status, it says again.
      if (error.name === "AbortError" || error.status || tries >= TAKE_UP_AGAIN) throw error;
    }
    if (tries >= TAKE_UP_AGAIN) throw new Problem({ title: "The connection broke", detail: "Ask again; the question was not answered." });
    response = null;
    await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** tries));
  }
}

/** Upload a file, to be read by the next job; `progress` is told the share that is sent, 0 to 1. */
export function upload(collection, file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch tells nothing of how much was sent.
    request.open("PUT", address(`collections/${encodeURIComponent(collection)}/files/${encodeURIComponent(file.name)}?index=false`));
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => progress(event.loaded / Math.max(event.total, 1));
    request.onerror = () => reject(new Problem({ title: "The upload broke off", detail: "See that the server is running, then drop the file again." }));
    request.onload = () => {
      let told = {};
      try {
        told = JSON.parse(request.responseText);
      } catch {
        // Told below by the status alone.
      }
      if (request.status < 300) resolve(told);
      else reject(new Problem({ status: request.status, title: told.title, detail: told.detail }));
    };
    request.send(file);
  });
}
