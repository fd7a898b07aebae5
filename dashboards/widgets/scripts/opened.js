// Tells that the popover around it is open: only then are its fields in the document.
export default function ({ setTriggerValue }) {
  setTriggerValue("opened", true);
}
