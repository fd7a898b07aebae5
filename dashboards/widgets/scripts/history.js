// Joins all changes of the address between two actions of the reader into one step of the history.
// What is opened begins at its top.
const OPENS = ["document", "rule", "chunk", "twin"];
export default function () {
  if (window.kalendsHistory) return;
  window.kalendsHistory = true;
  let acted = true, chose = false;
  const act = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    acted = true;
    chose = event.type !== "popstate";
  };
  for (const kind of ["pointerdown", "click", "keydown", "popstate"]) window.addEventListener(kind, act, true);
  const opened = (url) => url.pathname + OPENS.map((name) => url.searchParams.get(name));
  const push = window.history.pushState.bind(window.history);
  const replace = window.history.replaceState.bind(window.history);
  window.history.pushState = (state, unused, address) => {
    const before = opened(new URL(location.href));
    if (acted) push(state, unused, address);
    else replace(state, unused, address);
    if (opened(new URL(location.href)) !== before) document.querySelector(".stMain")?.scrollTo(0, 0);
    acted = chose = false;
  };
  window.history.replaceState = (state, unused, address) => {
    const elsewhere = address && new URL(address, location.href).href !== location.href;
    if (chose && elsewhere) window.history.pushState(state, unused, address);
    else replace(state, unused, address);
  };
}
