// The SQL editor of the dashboard: highlighting, and completion of tables, their columns and SQL's words.
//
// It stands in for a text area of Streamlit, which stays in the page, hidden, and keeps the query: what is typed here is
// written there, and handed in as Streamlit does it, when the editor is left or with Ctrl+Enter.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, SQLDialect, sql } from "@codemirror/lang-sql";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, keymap, placeholder } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const NAME = "kalendsSqlEditor";
// What DuckDB has beside PostgreSQL (https://duckdb.org/docs/stable/sql/introduction).
const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords} qualify exclude replace pivot unpivot summarize describe asof semi anti positional sample`,
  builtin: `${PostgreSQL.spec.builtin ?? ""} count sum avg min max median mode list first last any_value string_agg list_agg ` +
    "coalesce nullif year month quarter day date_trunc date_diff strftime lower upper length contains starts_with " +
    "regexp_matches regexp_extract regexp_replace round abs floor ceil greatest least unnest row_number rank lag lead",
});
const SHADE = "color-mix(in srgb, currentColor 6%, transparent)";
const PAPER = "light-dark(#fdfcf9, #1d1a17)";
const LOOK = EditorView.theme({
  "&": {
    backgroundColor: "var(--st-secondary-background-color, " + SHADE + ")",
    borderRadius: "0.4rem", border: "1px solid transparent", fontSize: "0.875rem", minHeight: "12rem", maxHeight: "26rem",
  },
  "&.cm-focused": { outline: "none", borderColor: "light-dark(#9e2f26, #e2806f)" },
  ".cm-scroller": { fontFamily: '"Source Code Pro", ui-monospace, monospace', lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { padding: "0.6rem 0.2rem", minHeight: "12rem", caretColor: "currentColor" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
  ".cm-placeholder": { color: "inherit", opacity: 0.75 },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "color-mix(in srgb, #e0a526 32%, transparent) !important",
  },
  ".cm-tooltip": {
    backgroundColor: PAPER, color: "inherit", borderRadius: "0.3rem",
    border: "1px solid color-mix(in srgb, currentColor 30%, transparent)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "light-dark(#9e2f26, #e2806f)", color: "light-dark(#ffffff, #161412)",
  },
  ".cm-completionDetail": { opacity: 0.8, fontStyle: "normal" },
});

// The columns of the tables that the query names, without a prefix; of all tables while it names none. After FROM and
// JOIN a table follows.
function columnsOf(tables) {
  return (context) => {
    const word = context.matchBefore(/\w+/);
    if (!word || context.matchBefore(/\.\w*|\b(?:from|join)\s+\w*/i)) return null;
    const words = new Set(context.state.doc.toString().toLowerCase().match(/\w+/g) ?? []);
    const all = Object.entries(tables);
    const named = all.filter(([name]) => words.has(name.toLowerCase()));
    const found = new Map();
    for (const [name, columns] of named.length ? named : all)
      for (const column of columns) found.set(column, found.has(column) ? "several tables" : name);
    const options = [...found].map(([label, detail]) => ({ label, detail, type: "property", boost: 1 }));
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

function language(tables) {
  const known = sql({ dialect: DUCKDB, schema: tables, upperCaseKeywords: true });
  return [known, known.language.data.of({ autocomplete: columnsOf(tables) })];
}

class Editor {
  constructor(parent, data) {
    this.area = data.area;
    this.most = data.most;
    this.sent = data.query;
    this.tables = new Compartment();
    this.words = "";
    this.warning = document.createElement("p");
    this.warning.setAttribute("role", "alert");
    this.warning.hidden = true;
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: data.query,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => this.run() }])),
          history(), drawSelection(), bracketMatching(), closeBrackets(), autocompletion({ icons: false }),
          EditorView.lineWrapping, placeholder(data.placeholder), syntaxHighlighting(classHighlighter), LOOK,
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ "aria-label": data.label, spellcheck: "false" }),
          EditorView.updateListener.of((update) => update.docChanged && this.write()),
          EditorView.domEventHandlers({ blur: () => { this.leave(); } }),
          this.tables.of([]),
        ],
      }),
    });
    parent.append(this.warning);
  }

  field() {
    return document.querySelector(`${this.area} textarea`);
  }

  // React notices a value only where the field's own setter was used (https://github.com/facebook/react/issues/11488).
  write() {
    const text = this.view.state.doc.toString();
    const field = this.field();
    const long = text.length > this.most;
    this.warning.hidden = !long;
    if (long) {
      const count = text.length.toLocaleString("en");
      this.warning.textContent = `A query has at most ${this.most.toLocaleString("en")} characters; this one has ${count}. Shorten it.`;
    } else if (field && field.value !== text) {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  leave() {
    this.handedIn = this.view.state.doc.toString();
    this.field()?.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  }

  run() {
    this.handedIn = this.view.state.doc.toString();
    const keys = { key: "Enter", code: "Enter", ctrlKey: true, metaKey: true, bubbles: true };
    this.field()?.dispatchEvent(new KeyboardEvent("keydown", keys));
    return true;
  }

  // What the page says now: an example that was chosen replaces the text, what was typed here meanwhile stays.
  show(data) {
    const words = JSON.stringify(data.tables);
    if (words !== this.words) {
      this.words = words;
      this.view.dispatch({ effects: this.tables.reconfigure(language(data.tables)) });
    }
    const text = this.view.state.doc.toString();
    if (![text, this.sent, this.handedIn].includes(data.query)) {
      this.view.dispatch({ changes: { from: 0, to: text.length, insert: data.query } });
    }
    this.sent = data.query;
  }
}

const editors = new WeakMap();

function show(parent, data) {
  if (!editors.has(parent)) editors.set(parent, new Editor(parent, data));
  editors.get(parent).show(data);
}

function remove(parent) {
  editors.get(parent)?.view.destroy();
  editors.get(parent)?.warning.remove();
  editors.delete(parent);
}

// Streamlit calls this where the part that only loads the editor is drawn.
export default function () {
  if (window[NAME]) return;
  window[NAME] = { show, remove };
  window.dispatchEvent(new Event(NAME));
}
