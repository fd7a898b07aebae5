// Enter and Space select a row of a list, which Streamlit does with Shift and Space.
export default function () {
  if (window.kalendsRows) return;
  window.kalendsRows = true;
  window.addEventListener("keydown", (event) => {
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!event.isTrusted || !plain || (event.key !== "Enter" && event.key !== " ")) return;
    if (!event.target.closest?.('[class*="-opens-rows"] canvas')) return;
    event.preventDefault();
    event.stopPropagation();
    const chooses = { key: " ", code: "Space", keyCode: 32, shiftKey: true, bubbles: true, cancelable: true };
    event.target.dispatchEvent(new KeyboardEvent("keydown", chooses));
  }, true);
}
