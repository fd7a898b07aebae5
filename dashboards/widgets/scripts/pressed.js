// Tells the value of `data-{attribute}` of the element that is pressed.
export default function ({ data, setTriggerValue }) {
  const { attribute } = data;
  const heard = `kalends-${attribute}`;
  document.removeEventListener("click", document[heard]);
  document[heard] = (event) => {
    const pressed = event.target.closest?.(`[data-${attribute}]`);
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    setTriggerValue("pressed", pressed.dataset[attribute]);
  };
  document.addEventListener("click", document[heard]);
  setTimeout(() => {
    const chosen = document.querySelector(`[data-${attribute}][aria-pressed="true"]`);
    if (chosen && chosen.getBoundingClientRect().bottom > innerHeight) chosen.scrollIntoView({ block: "center" });
  }, 400);
  return () => document.removeEventListener("click", document[heard]);
}
