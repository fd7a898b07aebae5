"""Settings of how tables are found and laid out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Thresholds by which lines are tables, and what their rows, columns, headers and titles are.

    Units: pt is a point (1/72 inch), em the font size of the line, height that of the letters, share a part of 1.
    """

    wrapped_gap: float = 0.9  # em between two lines of one row of the body
    wrapped_slack: float = 0.3  # em by which such a gap exceeds those between rows of figures; and of figures alone
    nearer_gap: float = 0.1  # em by which a label is nearer to the row above than rows are to each other
    header_ruled: float = 0.5  # share of a header's width that a rule below it parts from the next line
    header_far: float = 1.5  # em between two lines of a header that are no longer one row
    whole_rule: float = 0.6  # share of the table's width of a level rule that runs across it

    label_width: float = 0.7  # share of the table's width that a label at a page break takes at most
    label_distance: float = 3.0  # em between such a label and its table
    label_hang: float = 4.0  # pt left of the table's edge that a label may begin

    caption_distance: float = 2.2  # em above a table at which its title stands
    bold_caption_distance: float = 4.5  # the same for bold titles
    caption_lines: int = 4  # lines of one title at most
    caption_same_size: float = 0.3  # pt that the letters of one title's lines differ in size
    caption_short: int = 60  # characters of the longest title of which only the first word is capitalised
    caption_reach: int = 7  # items above a table among which its title is looked for
    caption_gap: float = 0.6  # em between two lines of one title
    paragraph_gap: float = 0.35  # em at least between two paragraphs
    caption_letters: int = 4  # letters of a title at least
    most_notes: int = 12  # lines below a table that are read as its notes
    caption_longest: int = 160  # characters of a line of a title at most

    # lines at a page break that are labels of rows, and lines of a title that is repeated
    most_labels_at_break: int = 4
    most_lines_at_break: int = 16  # lines between a page's last table and its end, notes included
    same_grid: float = 2.0  # pt that the edges of ruled columns differ on two pages
    note_gap: float = 0.6  # em between the lines of one note

    chart_few: int = 2  # columns, rows or curves that a table may have and a chart has more of
    chart_edges: int = 6  # edges with one foot, as bars of a chart have
    full_share: float = 0.9  # share of squares that are filled where columns have no gaps
    chart_heights: int = 3  # different lengths of bars
    chart_same_length: float = 2.0  # pt that bars of one length differ
    chart_strays: int = 6  # edges through columns that underlining or a frame may leave
    first_year: int = 1500  # a first column of years in even steps, from here on, is no axis
    last_year: int = 2100  # up to here

    fewest_dots: int = 4  # dots of a cell that lead somewhere; fewer alone are the sign for a missing figure

    worded_header_lines: int = 4  # lines among which a header of words ends with a word in every column

    grid_tolerance: float = 3.0  # pt between rules, or ends of rules, that meet
    grid_covered: float = 0.6  # share of a square's side that rules cover where they part it from the next

    orphan_lines_above: int = 8  # lines before the first row that a page break parts from its table
    orphan_gap: float = 1.2  # em between such rows

    outside_column: float = 0.3  # share of its width that a piece may reach out of its column
    outside_gap: float = 1.3  # median gaps between the rows of a table that its next row may be away
    outside_near: float = 0.6  # em that it may be away in any case

    header_labels: int = 8  # lines of labels between two lines of one header
    header_lines: int = 14  # lines above the body among which a header is looked for
    header_gap: float = 2.0  # em between two lines of one header
    title_centred: float = 5.0  # pt off the table's middle of a title, which is centred over labels and all

    longest_cell: int = 1500  # characters of a ruled cell; a frame around running text has more
    open_share: float = 0.3  # share of ruled rows whose cells hold several figures: the rules leave rows or columns out
    wall_cuts: float = 0.05  # share of lines whose words an upright rule may cut and still part columns
    full_grid: int = 3  # rows and columns of a grid of figures without any word
    full_grid_share: float = 0.9  # share of its cells that are filled

    same_end: float = 6.0  # pt that the ends of rules of one width differ
    shortest_stack: float = 60.0  # pt of the rules of a table; shorter ones stand under headers and totals
    lowest_stack: float = 12.0  # pt between the first and the last of them: a double line is no table
    prose_words: int = 9  # words of a line of running text, over most of the width

    wall_height: float = 0.5  # share of the table's height that upright rules run down where they part columns
    rule_below: float = 8.0  # pt below a header at which a rule belongs to it
    rule_centred: float = 0.15  # share of a rule's length that its header's middle is off the rule's
    span_exact: float = 4.0  # pt that a header's middle is off the middle of the columns that it spans
    span_nearly: float = 10.0  # the same for a header that is wider than its column
    span_clearly: float = 2.0  # pt by which several columns must fit better than one
    span_wide: float = 0.9  # column pitches from which a header is wider than its column
    header_hang: float = 4.0  # pt that a closing bracket may hang out of its column
    label_indent: float = 40.0  # pt right of the labels' edge at which a line begins that is no label
    header_line_gap: float = 0.6  # em between two lines of one header over one column
    header_line_flush: float = 1.5  # pt between the edges of two such lines

    tail_lines: int = 4  # lines at most in which the cells of a table's last row end
    tail_nearer: float = 0.25  # em by which such a line is nearer to the one above than rows of figures are
    tail_flush: float = 1.5  # pt between the edges of such a line and of the cell that it ends
    row_gap: float = 3.0  # em between two rows of one table
    lines_between: int = 8  # lines without gaps between two rows with them
    section_labels: int = 9  # lines of labels below the head of a section, before its first figures
    section_indent: float = 6.0  # em right of the labels' edge at which such a head begins
    section_hang: float = 3.0  # pt left of it
    section_words: int = 14  # words of such a head
    section_note_words: int = 8  # words of one that begins as a note does
    section_gap: float = 0.9  # em below it and between its labels
    section_slack: float = 0.1  # em by which these gaps exceed those of the table so far
    rivers_kept: float = 0.5  # share of the strong rivers that a row of a section keeps to
    river_overlap: float = 2.0  # pt that a gap and a river have in common
    strong_river: int = 3  # lines that share a strong river
    another_gap: float = 0.5  # em by which a gap exceeds those of the table where another table begins
    another_header: int = 12  # lines below it among which heads of columns are looked for
    another_columns: int = 2  # pieces of such a line at least, and one more
    sentence_words: int = 5  # words of a line that ends as a sentence and ends the table
    sentence_gap: float = 0.6  # em above it
    most_rivers: int = 80  # rivers that are kept: bounds the time of hostile pages

    # tables of words whose cells run over several lines, flush on the left, known by their bands of rows
    flush_gap: float = 0.3  # em left of a column that every line leaves free, as blanks at one place do not
    flush_edge: float = 1.5  # pt that lines of one column begin off each other
    flush_indent: float = 2.0  # em that a line of a cell may be set in
    flush_lines: int = 150  # lines of one such table at most: bounds the time of hostile pages
    most_failures: int = 100  # lines of a page around which there is no such table: bounds the time of hostile pages
    flush_larger: float = 1.12  # times the size of its lines from which a line between them is a heading
    band_height: float = 0.3  # em above and below a word's middle that count as covered
    band_step: float = 0.2  # em by which gaps between rows exceed those between the lines of a cell
    fewest_bands: int = 3  # rows of such a table
    band_aligned: float = 0.9  # share of cells that begin with their row, or stand half way down it; and of labels
    band_off: float = 0.4  # em that such cells are off
    band_shared: float = 0.8  # share of rows with several cells
    band_wrapped: int = 2  # cells of several lines at least: other tables need no help
    band_full: float = 0.7  # share of their lines that leave no room for the next word
    band_figures: float = 0.3  # share of figures beyond the labels: the columns of more tell where rows begin
    band_label: float = 0.45  # share of the width that the labels of two columns take at most
    band_title_words: int = 2  # words of a title of two columns of one weight: "Languages", "English, German" is a row
    band_confidence: float = 0.75  # of such a table

    gutter: float = 1.5  # em at least between two tables that stand side by side

    repeated_rows: int = 2  # rows more than the header's into which another page may wrap it
    column_shift: float = 0.08  # share of the table's width that edges of columns differ on two pages
    column_overlap: float = 0.5  # share of a column that lies under the column of the first part

    sure_confidence: float = 0.5  # confidence from which lines in columns are a table
    most_confidence: float = 0.99  # of white space: only a ruled grid is sure
    figures_weight: float = 0.55  # confidence for the share of figures beyond the first column
    rows_weight: float = 0.1  # for rows with several columns
    rows_counted: int = 5  # of such rows; more say no more
    several_rows: float = 0.1  # for more than two of them
    few_rows: float = 0.15  # against fewer
    fill_weight: float = 0.15  # for the share of filled cells
    column_weight: float = 0.05  # for each column beyond two
    columns_counted: int = 3  # of such columns
    ruled_weight: float = 0.3  # for rules above and below
    stack_reach: float = 14.0  # pt within the first and last line at which these rules lie
    caption_weight: float = 0.15  # for a caption above
    long_weight: float = 0.5  # against the share of long cells
    long_cell: int = 60  # characters of a cell from which it may be prose
    address_weight: float = 0.4  # against an address of mail: a list of contacts
    doubt_weight: float = 0.3  # against sparse cells, and against two rows alone without rules, caption or full columns
    sparse_share: float = 0.4  # share of filled cells below which a table is doubtful
    margin_pieces: int = 3  # pieces of a row that reaches into the page's margin: a running head has two

    worded_confidence: float = 0.4  # of short texts in columns without a figure; below what is sure
    worded_columns_bonus: float = 0.15  # for three columns
    worded_rows_bonus: float = 0.05  # for five rows with several columns
    bold_header_bonus: float = 0.15  # for a bold first line over others
    worded_framed: float = 0.2  # for rules or a caption
    titled_confidence: float = 0.55  # of long texts beside labels under a header
    worded_marks: float = 0.5  # share of rows whose label is shorter than three characters, as a list's marks are
    worded_flush: float = 1.5  # pt that the left edges of a column of words differ
    worded_share: float = 0.9  # share of pieces, or rows, that keep to the columns
    wordy: float = 4.5  # words of a piece on average above which texts are long
    worded_rows: int = 3  # rows with several columns at least
    glossary_rows: int = 6  # rows from which short labels beside long texts are a glossary
    glossary_label_words: float = 4.0  # words of its labels on average
    worded_title_words: int = 6  # words of the title of a column
    wordy_lines: float = 3.0  # lines of a row with long texts on average


TABLES = TableSettings()
