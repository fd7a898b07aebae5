// Tells whether the window is at least so many pixels wide.
export default function ({ data, setStateValue }) {
  const wide = window.matchMedia(`(min-width: ${data.least}px)`);
  const tell = () => setStateValue("wide", wide.matches);
  if (wide.matches !== data.known) tell();
  wide.addEventListener("change", tell);
  return () => wide.removeEventListener("change", tell);
}
