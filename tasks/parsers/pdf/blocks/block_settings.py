"""Settings of how lines become headings, paragraphs and running heads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockSettings:
    """Thresholds by which lines are headings, paragraphs, lists and running heads.

    Units: pt is a point (1/72 inch), em the font size of the line, height that of the letters, share a part of 1.
    """

    edge_lines: int = 2  # lines at the head and foot of a page that may be furniture
    repeated_pages: int = 3  # pages that repeat a running head
    repeated_share: float = 0.3  # share of all pages that do
    repeated_window: int = 5  # pages in a row among which three repeat the head of a chapter
    # share of pages that show their number at one distance from the page's place in the file
    numbered_share: float = 0.4
    furniture_max_length: int = 120  # characters of a running head
    furniture_height_step: float = 12.0  # pt of the steps of height in which lines count as repeated
    furniture_gap: float = 0.45  # em between a running head and the text
    furniture_full_line_slack: float = 0.15  # share of the width that a full line may lack: the next word did not fit
    furniture_max_length_without_gap: int = 60  # characters of a running head without such a gap; more may be prose

    head_row_pages: int = 3  # pages that repeat a running head as the first row of a table
    head_row_window: int = 5  # pages in a row among which they stand
    head_row_top: float = 0.08  # share of the page's height above which such a table begins
    head_row_max_cells: int = 2  # cells that such a row fills

    heading_max_length: int = 160  # characters of a heading
    heading_max_styled_length: int = 100  # characters of one that is not larger than the text
    heading_max_lines: int = 3  # lines of a heading
    heading_min_capitals: int = 6  # letters of a heading in capitals: shorter ones are abbreviations
    heading_centre_tolerance: float = 0.02  # share of the text's width that a centred line's middle is off
    heading_inset: float = 0.06  # share of it that such a line stands off both edges

    statement_max_length: int = 200  # characters of the title of a financial statement

    sentence_min_words: int = 9  # words from which a line that ends in a full stop is a sentence
    heading_min_letters: int = 3  # letters of a heading in Latin script

    larger_size_ratio: float = 1.12  # times the running text's size from which letters are larger
    same_step_ratio: float = 1.05  # ratio of two sizes that count as one step
    prose_min_length: int = 60  # characters of a line that tells the running text's size
    body_share: float = 0.2  # share of such lines that the running text's size has
    contents_min_lines: int = 4  # lines of a page that lead to a page where it is one of contents
    contents_min_labels: int = 2  # items or parts among them; an index of statements leads to none
    listed_title_min_letters: int = 5  # letters of a listed title: "Cash" is the name of a row as well
    contents_entry_max_lines: int = 3  # lines over which an entry of the contents runs

    paragraph_gap: float = 1.5  # usual gaps between lines from which a gap parts paragraphs
    line_gap: float = 0.8  # em of a gap that is still usual between lines; taller ones are between paragraphs
    paragraph_indent: float = 0.7  # em that the first line of a paragraph is set in
    paragraph_max_indent: float = 6.0  # em right of the line above from which a line is another column
    paragraph_flush_tolerance: float = 0.3  # em that edges of flush lines differ
    last_line_space: float = 2.0  # em beyond the next word that a last line leaves

    max_numbered_headings: int = 3  # items in a row that look like headings and are; more are a list
    label_title_distance: float = 2.0  # heights of its letters below a label at which its title stands

    torn_size_tolerance: float = 0.6  # pt that the letters of two parts of a paragraph differ in size
    footnote_size_ratio: float = 0.93  # times the text's size below which print is a footnote's
    torn_min_width_share: float = 0.75  # share of the widest line that the last line of a torn part has
    torn_min_length: int = 40  # characters from which a single line may be torn
    torn_max_distance: int = 8  # passages between two parts of a paragraph: feet, heads, footnotes

    paper_min_parts: int = 4  # parts of a paper that headings name: reports have an introduction and conclusions too
    cover_length: int = 4_000  # characters in which the cover of a filing says what it is


BLOCKS = BlockSettings()
