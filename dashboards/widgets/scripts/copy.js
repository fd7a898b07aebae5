// Buttons copy the text of their `data-copy`.
export default function () {
  if (window.kalendsCopy) return;
  window.kalendsCopy = true;
  const byHand = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy;
    // Browsers hide the clipboard from pages that come from another machine without TLS.
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false) || byHand(text);
    const before = button.dataset.said ||= button.textContent;
    button.textContent = done ? "Copied" : "Select the text and copy it";
    setTimeout(() => { button.textContent = before; }, 2000);
  });
}
