// The byte ruler: one cell a byte, its span's name below it, and a sentence for the byte in focus.
// Whatever came from a wire is put in as text, never as markup.

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function show(byte) {
  if (byte === 0x20) return "\u2423";
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return byte.toString(16).padStart(2, "0");
}

function render({ model, el }) {
  const words = model.get("words");
  const ruler = element("div", "rpclab-ruler");
  ruler.setAttribute("role", "listbox");
  ruler.setAttribute("aria-label", words.ruler);
  ruler.tabIndex = 0;
  const note = element("div", "rpclab-ruler-note");
  note.setAttribute("aria-live", "polite");
  const turn = element("div", "rpclab-ruler-turn");
  el.append(ruler, note, turn);
  let cells = [];
  let active = 0;

  function spanOf(offset) {
    return model.get("spans").find((span) => span.start <= offset && offset < span.end);
  }

  function say(index) {
    const offset = model.get("offset") + index;
    const byte = model.get("window")[index];
    const span = spanOf(offset);
    if (byte === undefined || !span) return;
    const hex = byte.toString(16).padStart(2, "0");
    const parts = [words.byte.replace("{offset}", offset).replace("{hex}", hex), span.owner, span.name];
    if (offset === model.get("fault")) parts.push(words.fault);
    note.textContent = parts.concat([span.path, span.clause, span.says]).filter(Boolean).join(" \u00b7 ");
  }

  function focus(index) {
    if (!cells.length) return;
    active = Math.max(0, Math.min(index, cells.length - 1));
    cells.forEach((cell, at) => cell.setAttribute("aria-selected", at === active));
    ruler.setAttribute("aria-activedescendant", cells[active].id);
    cells[active].scrollIntoView({ block: "nearest" });
    say(active);
  }

  function button(text, offset, enabled) {
    const made = element("button", "jupyter-button widget-button", text);
    made.disabled = !enabled;
    made.addEventListener("click", () => {
      model.set("offset", offset);
      model.save_changes();
    });
    turn.append(made);
  }

  function draw() {
    const [first, bytes, total, size] = ["offset", "window", "total", "size"].map((name) => model.get(name));
    [cells, active] = [[], 0];
    ruler.replaceChildren();
    let [kind, row] = ["", null];
    for (const span of model.get("spans")) {
      const next = [span.owner, span.name, span.path].join(" ");
      if (next !== kind || row === null) {
        // A member's name, colon and value are three spans, and one group.
        const group = element("span", `rpclab-span rpclab-${span.owner}`);
        row = element("span", "rpclab-cells");
        const label = span.owner === "member" || span.end - span.start > 3 ? span.name : "";
        group.append(row, element("span", "rpclab-label", label));
        ruler.append(group);
        kind = next;
      }
      const start = Math.max(span.start, first);
      for (let offset = start; offset < Math.min(span.end, first + bytes.length); offset += 1) {
        const index = offset - first;
        const cell = element("span", "rpclab-byte", show(bytes[index]));
        if (bytes[index] <= 0x20 || bytes[index] >= 0x7f) cell.classList.add("rpclab-unseen");
        if (offset === model.get("fault")) cell.classList.add("rpclab-fault");
        cell.id = `${model.model_id || "ruler"}-${index}`;
        cell.setAttribute("role", "option");
        cells.push(cell);
        row.append(cell);
      }
    }
    turn.replaceChildren();
    if (total > size) {
      button(words.back, Math.max(0, first - size), first > 0);
      button(words.next, first + size, first + size < total);
      turn.append(element("span", "", words.part.replace("{first}", first).replace("{last}", first + bytes.length - 1).replace("{total}", total)));
    }
    const fault = model.get("fault");
    if (fault >= 0 && total > size) button(words.to_fault, Math.max(0, fault - 16), true);
    note.textContent = bytes.length ? words.hint : words.empty;
  }

  function point({ target }) {
    const index = cells.indexOf(target);
    const there = target.getAttribute("aria-selected") === "true";
    if (index >= 0 && !there) focus(index);
  }

  // Only a pointer that moves points: new bytes drawn under one at rest change nothing.
  ruler.addEventListener("pointermove", point);
  ruler.addEventListener("click", point);
  ruler.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 16, ArrowUp: -16, Home: -cells.length, End: cells.length };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    focus(active + moves[event.key]);
  });
  ruler.addEventListener("focus", () => focus(active));
  model.on("change:drawn", draw);
  draw();
}

export default { render };
