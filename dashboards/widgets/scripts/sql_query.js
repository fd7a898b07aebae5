// Draws the editor of `dashboards/editor` over a text area, once the editor is loaded.
export default function ({ data, parentElement }) {
  const show = () => window.kalendsSqlEditor.show(parentElement, data);
  if (window.kalendsSqlEditor) show();
  else window.addEventListener("kalendsSqlEditor", show, { once: true });
  return () => {
    window.removeEventListener("kalendsSqlEditor", show);
    window.kalendsSqlEditor?.remove(parentElement);
  };
}
