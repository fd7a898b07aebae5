"""Settings of how tables are found and laid out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Thresholds by which lines are tables, and what their rows, columns, headers and titles are.

    Units: pt is a point (1/72 inch), em the font size of the line, height that of the letters, share a part of 1.
    """

    wrapped_gap: float = 0.9  # em between two lines of one row of the body
    wrapped_gap_slack: float = 0.3  # em by which such a gap exceeds those between rows of figures; and of figures alone
    nearer_gap: float = 0.1  # em by which a label is nearer to the row above than rows are to each other
    header_rule_share: float = 0.5  # share of a header's width that a rule below it parts from the next line
    header_max_row_gap: float = 1.5  # em between two lines of a header that are no longer one row
    full_rule_share: float = 0.6  # share of the table's width of a level rule that runs across it

    label_width: float = 0.7  # share of the table's width that a label at a page break takes at most
    label_distance: float = 3.0  # em between such a label and its table
    label_overhang: float = 4.0  # pt left of the table's edge that a label may begin

    caption_distance: float = 2.2  # em above a table at which its title stands
    bold_caption_distance: float = 4.5  # the same for bold titles
    caption_lines: int = 4  # lines of one title at most
    caption_size_tolerance: float = 0.3  # pt that the letters of one title's lines differ in size
    caption_short_length: int = 60  # characters of the longest title of which only the first word is capitalised
    caption_reach: int = 7  # items above a table among which its title is looked for
    caption_gap: float = 0.6  # em between two lines of one title
    paragraph_gap: float = 0.35  # em at least between two paragraphs
    caption_letters: int = 4  # letters of a title at least
    max_notes: int = 12  # lines below a table that are read as its notes
    caption_max_length: int = 160  # characters of a line of a title at most

    # lines at a page break that are labels of rows, and lines of a title that is repeated
    max_labels_at_break: int = 4
    max_lines_at_break: int = 16  # lines between a page's last table and its end, notes included
    grid_edge_tolerance: float = 2.0  # pt that the edges of ruled columns differ on two pages
    note_gap: float = 0.6  # em between the lines of one note

    chart_limit: int = 2  # columns, rows or curves that a table may have and a chart has more of
    chart_min_edges: int = 6  # edges with one foot, as bars of a chart have
    full_share: float = 0.9  # share of squares that are filled where columns have no gaps
    chart_min_heights: int = 3  # different lengths of bars
    chart_length_tolerance: float = 2.0  # pt that bars of one length differ
    chart_max_stray_edges: int = 6  # edges through columns that underlining or a frame may leave
    first_year: int = 1500  # a first column of years in even steps, from here on, is no axis
    last_year: int = 2100  # up to here

    min_leader_dots: int = 4  # dots of a cell that lead somewhere; fewer alone are the sign for a missing figure

    word_header_max_lines: int = 4  # lines among which a header of words ends with a word in every column

    grid_tolerance: float = 3.0  # pt between rules, or ends of rules, that meet
    grid_covered_share: float = 0.6  # share of a square's side that rules cover where they part it from the next

    orphan_max_lines_above: int = 8  # lines before the first row that a page break parts from its table
    orphan_gap: float = 1.2  # em between such rows

    column_overhang_share: float = 0.3  # share of its width that a piece may reach out of its column
    next_row_gap_ratio: float = 1.3  # median gaps between the rows of a table that its next row may be away
    next_row_min_gap: float = 0.6  # em that it may be away in any case

    header_max_labels: int = 8  # lines of labels between two lines of one header
    header_max_lines: int = 14  # lines above the body among which a header is looked for
    header_gap: float = 2.0  # em between two lines of one header
    title_centre_tolerance: float = 5.0  # pt off the table's middle of a title, which is centred over labels and all

    max_cell_length: int = 1500  # characters of a ruled cell; a frame around running text has more
    open_row_share: float = (
        0.3  # share of ruled rows whose cells hold several figures: the rules leave rows or columns out
    )
    rule_cut_share: float = 0.05  # share of lines whose words an upright rule may cut and still part columns
    full_grid_min_side: int = 3  # rows and columns of a grid of figures without any word
    full_grid_share: float = 0.9  # share of its cells that are filled

    rule_end_tolerance: float = 6.0  # pt that the ends of rules of one width differ
    min_stack_rule_length: float = 60.0  # pt of the rules of a table; shorter ones stand under headers and totals
    min_stack_height: float = 12.0  # pt between the first and the last of them: a double line is no table
    prose_min_words: int = 9  # words of a line of running text, over most of the width

    rule_height_share: float = 0.5  # share of the table's height that upright rules run down where they part columns
    header_rule_distance: float = 8.0  # pt below a header at which a rule belongs to it
    header_rule_centre_share: float = 0.15  # share of a rule's length that its header's middle is off the rule's
    span_tolerance: float = 4.0  # pt that a header's middle is off the middle of the columns that it spans
    span_loose_tolerance: float = 10.0  # the same for a header that is wider than its column
    span_margin: float = 2.0  # pt by which several columns must fit better than one
    span_wide_pitch: float = 0.9  # column pitches from which a header is wider than its column
    header_overhang: float = 4.0  # pt that a closing bracket may hang out of its column
    label_indent: float = 40.0  # pt right of the labels' edge at which a line begins that is no label
    header_line_gap: float = 0.6  # em between two lines of one header over one column
    header_line_tolerance: float = 1.5  # pt between the edges of two such lines

    tail_max_lines: int = 4  # lines at most in which the cells of a table's last row end
    tail_gap_margin: float = 0.25  # em by which such a line is nearer to the one above than rows of figures are
    tail_edge_tolerance: float = 1.5  # pt between the edges of such a line and of the cell that it ends
    row_gap: float = 3.0  # em between two rows of one table
    max_lines_between: int = 8  # lines without gaps between two rows with them
    section_max_labels: int = 9  # lines of labels below the head of a section, before its first figures
    section_max_indent: float = 6.0  # em right of the labels' edge at which such a head begins
    section_overhang: float = 3.0  # pt left of it
    section_max_words: int = 14  # words of such a head
    section_note_max_words: int = 8  # words of one that begins as a note does
    section_max_gap: float = 0.9  # em below it and between its labels
    section_gap_slack: float = 0.1  # em by which these gaps exceed those of the table so far
    kept_river_share: float = 0.5  # share of the strong rivers that a row of a section keeps to
    min_river_overlap: float = 2.0  # pt that a gap and a river have in common
    strong_river_hits: int = 3  # lines that share a strong river
    next_table_gap: float = 0.5  # em by which a gap exceeds those of the table where another table begins
    next_table_header_lines: int = 12  # lines below it among which heads of columns are looked for
    next_table_columns: int = 2  # pieces of such a line at least, and one more
    sentence_words: int = 5  # words of a line that ends as a sentence and ends the table
    sentence_gap: float = 0.6  # em above it
    max_rivers: int = 80  # rivers that are kept: bounds the time of hostile pages

    # tables of words whose cells run over several lines, flush on the left, known by their bands of rows
    flush_column_gap: float = 0.3  # em left of a column that every line leaves free, as blanks at one place do not
    flush_edge_tolerance: float = 1.5  # pt that lines of one column begin off each other
    flush_max_indent: float = 2.0  # em that a line of a cell may be set in
    flush_max_lines: int = 150  # lines of one such table at most: bounds the time of hostile pages
    max_failures: int = 100  # lines of a page around which there is no such table: bounds the time of hostile pages
    flush_heading_ratio: float = 1.12  # times the size of its lines from which a line between them is a heading
    band_height: float = 0.3  # em above and below a word's middle that count as covered
    band_step: float = 0.2  # em by which gaps between rows exceed those between the lines of a cell
    min_bands: int = 3  # rows of such a table
    band_aligned_share: float = (
        0.9  # share of cells that begin with their row, or stand half way down it; and of labels
    )
    band_tolerance: float = 0.4  # em that such cells are off
    band_shared_share: float = 0.8  # share of rows with several cells
    band_min_wrapped_cells: int = 2  # cells of several lines at least: other tables need no help
    band_full_share: float = 0.7  # share of their lines that leave no room for the next word
    band_max_figure_share: float = 0.3  # share of figures beyond the labels: the columns of more tell where rows begin
    band_label_width_share: float = 0.45  # share of the width that the labels of two columns take at most
    band_title_max_words: int = (
        2  # words of a title of two columns of one weight: "Languages", "English, German" is a row
    )
    band_confidence: float = 0.75  # of such a table

    min_gutter: float = 1.5  # em at least between two tables that stand side by side

    max_extra_header_rows: int = 2  # rows more than the header's into which another page may wrap it
    column_shift: float = 0.08  # share of the table's width that edges of columns differ on two pages
    min_column_overlap: float = 0.5  # share of a column that lies under the column of the first part

    sure_confidence: float = 0.5  # confidence from which lines in columns are a table
    max_confidence: float = 0.99  # of white space: only a ruled grid is sure
    figures_weight: float = 0.55  # confidence for the share of figures beyond the first column
    rows_weight: float = 0.1  # for rows with several columns
    max_rows_counted: int = 5  # of such rows; more say no more
    several_rows_bonus: float = 0.1  # for more than two of them
    few_rows_penalty: float = 0.15  # against fewer
    fill_weight: float = 0.15  # for the share of filled cells
    column_weight: float = 0.05  # for each column beyond two
    max_columns_counted: int = 3  # of such columns
    ruled_weight: float = 0.3  # for rules above and below
    stack_reach: float = 14.0  # pt within the first and last line at which these rules lie
    caption_weight: float = 0.15  # for a caption above
    long_weight: float = 0.5  # against the share of long cells
    long_cell_length: int = 60  # characters of a cell from which it may be prose
    address_weight: float = 0.4  # against an address of mail: a list of contacts
    doubt_weight: float = 0.3  # against sparse cells, and against two rows alone without rules, caption or full columns
    sparse_share: float = 0.4  # share of filled cells below which a table is doubtful
    margin_row_min_pieces: int = 3  # pieces of a row that reaches into the page's margin: a running head has two

    word_table_confidence: float = 0.4  # of short texts in columns without a figure; below what is sure
    word_table_columns_bonus: float = 0.15  # for three columns
    word_table_rows_bonus: float = 0.05  # for five rows with several columns
    bold_header_bonus: float = 0.15  # for a bold first line over others
    framed_bonus: float = 0.2  # for rules or a caption
    titled_confidence: float = 0.55  # of long texts beside labels under a header
    list_mark_share: float = 0.5  # share of rows whose label is shorter than three characters, as a list's marks are
    word_table_edge_tolerance: float = 1.5  # pt that the left edges of a column of words differ
    word_table_share: float = 0.9  # share of pieces, or rows, that keep to the columns
    long_text_words: float = 4.5  # words of a piece on average above which texts are long
    word_table_min_rows: int = 3  # rows with several columns at least
    glossary_min_rows: int = 6  # rows from which short labels beside long texts are a glossary
    glossary_max_label_words: float = 4.0  # words of its labels on average
    column_title_max_words: int = 6  # words of the title of a column
    long_text_max_lines: float = 3.0  # lines of a row with long texts on average


TABLES = TableSettings()
