// Counts what goes between the page and Streamlit's server, and says when the page is at rest and what it shows.
// Run in each document before any script of its own. Messages are protocol buffers of Streamlit 1.67:
// ForwardMsg: metadata = 2, new_session = 4, script_finished = 6; ForwardMsgMetadata.run = 6; RunIdentity.fragment_ids = 2;
// BackMsg.rerun_script = 11; ClientState.is_auto_rerun = 6.
(() => {
  if (window.kalendsWatch) return;
  const state = { asked: false, running: false, heard: 0, finished: 0, refreshes: 0, pushes: 0, pressed: 0 };
  const DROPPED = 2000; // ms after which the server has let a request go without a word: that of a fragment that is gone
  let sent = 0, began = 0, refreshing = false;
  const push = history.pushState;
  history.pushState = function (...given) {
    state.pushes += 1;
    return push.apply(this, given);
  };

  function varint(bytes, at) {
    let value = 0, scale = 1;
    while (bytes[at] > 127) { value += (bytes[at++] - 128) * scale; scale *= 128; }
    return [value + bytes[at++] * scale, at];
  }

  function fields(bytes) {
    const found = {};
    for (let at = 0; at < bytes.length; ) {
      let tag, value;
      [tag, at] = varint(bytes, at);
      const kind = tag % 8;
      if (kind === 2) {
        let length;
        [length, at] = varint(bytes, at);
        value = bytes.subarray(at, at + length);
        at += length;
      } else if (kind === 0) [value, at] = varint(bytes, at);
      else at += kind === 1 ? 8 : 4;
      found[Math.floor(tag / 8)] = value;
    }
    return found;
  }

  // Runs that only look for a new generation are counted, and are no reason not to be at rest.
  function hear(data) {
    const now = performance.now(), told = fields(new Uint8Array(data));
    if (told[4]) {
      began = now;
      refreshing = 2 in fields(fields(told[2] ?? [])[6] ?? []) && !state.asked;
      state.running = !refreshing;
    }
    if (!refreshing) state.heard = now;
    if (!(6 in told)) return;
    if (refreshing) state.refreshes += 1;
    else state.finished = now;
    if (began > sent) state.asked = false;
    state.running = refreshing = false;
  }

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => { if (event.data instanceof ArrayBuffer) hear(event.data); });
    }
    send(data) {
      const rerun = data instanceof Uint8Array && fields(data)[11];
      if (rerun && !fields(rerun)[6]) {
        state.asked = true;
        sent = performance.now();
      }
      return super.send(data);
    }
  };

  // The chat page says itself that questions are looked for, and has a button to stop while an answer is being made.
  const BUSY = "[data-testid=stSpinner], [data-testid=stSkeleton], [data-testid=stConnectionStatus], " +
    ".st-key-chat-follow-ups-wait, .st-key-chat-stop";
  const OVER = "[role=dialog], [data-testid=stPopoverBody]";
  // What the reader has unfolded is not in the address: the page of a hit and the passages around it, with their buttons.
  const FOLDED = "[data-testid=stExpanderDetails], [data-testid=stTabPanel], [class*='st-key-search-strip-'], " +
    `[class*='st-key-search-links-'], [class*='st-key-search-nearby-'], ${OVER}`;
  const seen = { checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: false };
  const sees = (each) => each.checkVisibility(seen) && each.getBoundingClientRect().width > 0;

  // A list is drawn on a canvas, and the table for screen readers, which `rows` reads, 200 ms later.
  const LISTS = "[data-testid=stDataFrame]", LATER = 400;
  let listed = 0;
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.closest?.(LISTS))) listed = performance.now();
  }).observe(document, { childList: true, subtree: true });
  const drawn = (now) => !document.querySelector(LISTS) || now - Math.max(listed, state.finished) > LATER;

  // What is being unfolded or folded up has controls that seem to be visible, and are not.
  const folds = () => document.getAnimations().some(({ playState, effect }) =>
    playState === "running" && effect?.target?.closest?.("[data-testid=stExpander]"));

  function rested() {
    const now = performance.now();
    return drawn(now) && !folds() && !!document.querySelector(".stMain [data-testid=stElementContainer]") && !state.running && !(state.asked && now - sent < DROPPED) && now - state.heard > 60 &&
      now - state.finished > 60 && state.finished > 0 && !document.querySelector(BUSY);
  }

  // Calls `done` once the page has been at rest for `quiet` ms, with false where it is not within `limit` ms.
  function rest(quiet, limit, done) {
    const start = performance.now();
    let since = 0;
    const look = () => {
      const now = performance.now();
      since = rested() ? since || now : 0;
      if (since && now - since >= quiet) done(true);
      else if (now - start > limit) done(false);
      else setTimeout(look, 15);
    };
    look();
  }

  const FIELDS = "input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea";
  const CHOSEN = "[aria-selected=true], [aria-current], [aria-pressed=true], [aria-checked=true], input:checked";

  // The texts of a chart in one order: Vega puts new ones after those that were there.
  const charted = (chart) => [...chart.querySelectorAll("text")].map((one) => one.textContent).sort().join(" ");

  // What an element shows, with the values of its fields; of what can be unfolded its head alone.
  function told(each) {
    let text = each.innerText;
    for (const chart of each.querySelectorAll("svg.marks"))
      text = text.replace(chart.parentElement.innerText, () => charted(chart));
    for (const fold of each.querySelectorAll("details[open]"))
      text = text.replace(fold.innerText, fold.querySelector("summary")?.innerText ?? "");
    const named = (one) => one.innerText || one.ariaLabel || one.alt || "";
    const fields = [...each.querySelectorAll(FIELDS)].map((one) => one.value);
    const chosen = [...each.querySelectorAll(CHOSEN)].filter((one) => !one.closest("[role=grid]")).map((one) => "*" + named(one));
    const pictures = [...each.querySelectorAll("img, [role=graphics-document]")].map((one) => one.ariaLabel || one.alt || "");
    return [text, ...fields, ...chosen, ...pictures].join(" ");
  }

  // What the page shows, a line for each of its elements, without what is folded up or opened over it.
  function view() {
    const found = [...document.querySelectorAll(".stMain [data-testid=stElementContainer]")].filter((each) => {
      const around = each.parentElement;
      return !around.closest(FOLDED) && !each.querySelector("[data-testid=stChatInput]") && !around.closest("[data-testid=stElementContainer]") && each.checkVisibility();
    });
    return found.map((each) => told(each).replace(/\s+/g, " ").trim()).filter(Boolean).join("\n");
  }

  // The first row of each list that is drawn on a canvas, as far as it has been drawn.
  const rows = () => [...document.querySelectorAll(".stMain [role=grid] tbody tr:first-child")].map((row) => row.textContent);

  function label(each) {
    const own = each.getAttribute("aria-label") || each.innerText || each.title || "";
    const icons = [...each.querySelectorAll("[data-testid*=Icon]")].map((icon) => icon.innerText);
    return own.split("\n").filter((line) => line.trim() && !icons.includes(line)).join(" ").slice(0, 80);
  }

  const KINDS = [
    ["link", "a[href]"],
    ["expander", "summary"],
    ["tab", "[role=tab]"],
    ["choice", "[role=combobox]"],
    ["toggle", "input[role=switch], input[type=checkbox], input[type=radio]"],
    ["option", "button[role=radio], button[role=checkbox]"],
    ["date", "[data-testid=stDateInputField]"],
    ["rows", "canvas[data-testid=data-grid-canvas]"],
    ["text", "input[type=text]:not([role=combobox]):not([type=date]), input[type=search], textarea"],
    ["number", "input[type=number]"],
    ["button", "button, [data-cell], [data-cite], [role=button]"],
  ];
  // Those of Streamlit itself that are the same everywhere: tools of a chart or list, help, the calendar of a date.
  const NOT = "[data-testid=stElementToolbar], button[aria-label^='Help for'], [data-testid=stDateInputCalendarButton], " +
    "[data-testid=stFileUploaderDropzone], [data-testid=stChatInput], [data-testid=stForm], " +
    "button[aria-label='Clear date'], .st-key-menu, [disabled], [aria-disabled=true]";

  // The controls that can be seen, each with its kind and its name; those opened over the page before all else.
  function controls() {
    const over = [...document.querySelectorAll(OVER)].filter(sees);
    const roots = over.length ? [over.at(-1)] : document.querySelectorAll(".stMain, [data-testid=stSidebarUserContent]");
    const taken = new Set(), found = [];
    for (const root of roots) for (const [kind, selector] of KINDS)
      for (const each of root.querySelectorAll(selector)) {
        if (taken.has(each) || each.closest(NOT)) continue;
        taken.add(each);
        const shown = kind === "toggle" ? each.closest("label") || each.parentElement : each;
        if (!sees(shown)) continue;
        found.push([kind, label(kind === "toggle" && !each.ariaLabel ? shown : each), shown, each.href || ""]);
      }
    return found;
  }

  const over = () => [...document.querySelectorAll(OVER)].some(sees);

  // Calls `done` once the page has looked `count` times for a new generation, with false where it has not in `limit` ms.
  function refreshed(count, limit, done) {
    const start = performance.now(), goal = state.refreshes + count;
    const look = () => {
      if (state.refreshes >= goal) done(true);
      else if (performance.now() - start > limit) done(false);
      else setTimeout(look, 15);
    };
    look();
  }

  // Brings an element into sight, and calls `done` once it stands still and nothing lies over it, or after 3 s.
  function ready(each, done) {
    const start = performance.now();
    let before = "";
    each.scrollIntoView({ block: "center" });
    const look = () => {
      const box = each.getBoundingClientRect(), place = `${box.x} ${box.y}`;
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const free = place === before && (each.contains(top) || top?.contains(each));
      before = place;
      if (free || performance.now() - start > 3000) done(free);
      else setTimeout(look, 30);
    };
    look();
  }

  // What is wrong for a finger: the page goes beyond its edge, or the middle of a control is under something else.
  async function touch(done) {
    const wrong = [], main = document.querySelector(".stMain");
    if (main.scrollWidth > main.clientWidth) wrong.push(`is ${main.scrollWidth - main.clientWidth} px too wide`);
    for (const [kind, name, each] of controls()) {
      if (each.closest("[data-testid=stSidebar]")) continue; // folded up on a phone
      each.scrollIntoView({ block: "center" });
      const own = each.closest("[data-testid=stDataFrame], label") ?? each, box = each.getBoundingClientRect();
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      const top = document.elementFromPoint(x, y);
      if (x < 0 || x > innerWidth) wrong.push(`${kind} "${name}" lies beyond the edge`);
      else if (top && !own.contains(top) && !top.contains(each))
        wrong.push(`${kind} "${name}" is covered by ${top.outerHTML.slice(0, 120)}`);
    }
    done(wrong);
  }

  // Seconds from the last press until nothing changed any more.
  let changed = 0;
  new MutationObserver(() => { changed = performance.now(); }).observe(document, { childList: true, subtree: true });
  const seconds = () => (Math.max(state.heard, changed) - state.pressed) / 1000;
  window.addEventListener("pointerdown", () => { state.pressed = performance.now(); }, true);

  window.kalendsWatch = { seconds, touch, state, ready, over, refreshed, rest, view, rows, controls, label, sees };
})();
