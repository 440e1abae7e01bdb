// Elements, made one way: text is always text, never markup.
//
// el("button.primary", { type: "button", onclick: f }, "Ask") is <button class="primary" type="button">Ask</button>.
// Text that came from a document can only go in as a child, which becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Make an element: "tag.class.class", attributes (those that begin with "on" are listeners), children or texts. */
export function el(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  return fill(node, attributes, children);
}

/** Make an SVG element, like `el`. */
export function svg(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElementNS(SVG, tag);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return fill(node, attributes, children);
}

/** Put these children in the place of all that a node has. */
export function show(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Tell a screen reader. */
export function say(text) {
  const place = document.getElementById("said");
  place.textContent = "";
  // A new text in the next turn is read even when it is the same one again.
  setTimeout(() => { place.textContent = text; }, 30);
}

/** Return "1 document" or "3 documents". */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Say what went wrong and what to do; `again` is what the button does. */
export function problemBox(error, again) {
  return el("div.problem", { role: "alert" },
    el("strong", null, error.title ?? "Something went wrong"),
    el("p", null, error.message),
    again && el("button", { type: "button", onclick: again }, "Try again"));
}

/** Say that there is nothing yet, and what to do. */
export function emptyState(title, text, ...actions) {
  return el("div.empty", null, el("h2", null, title), el("p", null, text), actions.length ? el("p.actions", null, actions) : null);
}

/** Open a dialog that closes with Escape and with its button; returns it. */
export function dialog(title, ...content) {
  const box = el("dialog", { "aria-labelledby": "dialog-title" },
    el("h2", { id: "dialog-title" }, title), content,
    el("form", { method: "dialog" }, el("button.primary", null, "Close")));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

/** A button that does something and says in its own words how that went; then it is what it was. */
export function toolButton(name, told, act) {
  const button = el("button.small", { type: "button", title: told, onclick: async () => {
    button.disabled = true;
    try {
      button.textContent = await act();
    } catch (error) {
      button.textContent = error.title ?? "The browser does not allow it";
      button.title = error.message;
    }
    say(button.textContent);
    button.disabled = false;
    setTimeout(() => { button.textContent = name; button.title = told; }, 2000);
  } }, name);
  return button;
}

/** Let the user save a text as a file. */
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
