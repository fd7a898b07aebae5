"""Settings of how characters become words and lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Thresholds by which characters become words, words lines, and lines zones and columns.

    Units: pt is a point (1/72 inch), em the font size of the line, height that of the letters, share a part of 1.
    """

    # pt that tops differ within a line: pdfplumber's `y_tolerance`, by which it puts characters in order
    order_tolerance: float = 3.0
    # pt below which lines that others bridge are taken apart no further
    min_tolerance: float = 0.3
    # share of a letter's width that another, of another height, covers where two lines run over each other
    overlap_share: float = 0.4
    min_overlaps: int = 4  # such pairs of letters in a line that is two: fewer are raised and lowered digits
    # heights of the tallest letter of several lines in one, below which print is apart from the lines that it bridges
    bridging_size_ratio: float = 0.6
    # heights of the larger letter that feet differ on one line: raised figures stand a third higher
    baseline_tolerance: float = 0.25
    # heights: the widest gap that no blank fills; kerning leaves less, a thin space is 0.1 to 0.2
    touching_gap: float = 0.03
    # heights that blanks usually fill where others count as astray: fonts with wrong widths have none
    min_blank: float = 0.12
    spaced_out_gap: float = 0.06  # heights: the usual gap in a line whose letters are spaced out; kerning leaves less
    # heights by which a gap without a blank is wider than those among letters where it parts words
    word_gap: float = 0.15
    # the same in a line that has blanks elsewhere: of 71 gaps from 0.15 on in 840 files the narrowest alone parts none
    word_gap_amid_blanks: float = 0.17
    # the same where several gaps of a line are wider than it and none between it and `tight_letter_gap`
    tight_word_gap: float = 0.11
    tight_letter_gap: float = (
        0.06  # heights by which no gap among the letters of such a line is wider; kerning leaves less
    )
    # heights between letters of a line without word gaps: columns of letters are further apart
    max_letter_spacing: float = 0.5
    column_gap: float = 2.5  # heights of a gap that parts columns, whatever stands in them
    min_gaps: int = 4  # gaps from which a usual one can be computed
    letters_share: float = 0.6  # share of letters in what is set spaced out: rows of figures in narrow columns are not

    tight_space: float = 0.15  # em that part words on a page without blanks, in place of pdfplumber's three points
    blanks_share: float = 0.03  # share of blanks among characters below which a page writes none
    prose_letter_share: float = 0.6  # share of words that begin with a letter in running text

    piece_gap: float = 0.8  # em: a gap that parts the pieces of a line
    figure_gap: float = 0.45  # em: the same beside a figure, where columns stand closer
    amounts_gap: float = 0.4  # em: the same between two amounts that no thousands separator could join
    # median gaps of its line that a gap beside a figure is wider than: the whole line may be set wide
    justified_factor: float = 1.7
    justified_min_words: int = 4  # words at least of a line of prose that is spread to its column's width
    justified_gap: float = 0.5  # em: the least usual gap in such a line
    justified_max_ratio: float = 1.5  # median gaps that its widest gap stays below
    justified_max_gap: float = 4.0  # em: a gap that no spreading makes
    closing_reach: float = 14.0  # pt between a figure and the closing bracket or percent sign that belongs to it
    # pt between a currency sign at its column's left edge and the figure that it belongs to
    currency_reach: float = 120.0
    min_leader_dots: int = 3  # dots on a line that lead from a label to its figure; fewer are full stops

    min_numbered_columns: int = 3  # columns from which 1, 2, 3 or (a), (b), (c) number columns

    fraction_digits: int = 3  # digits at most of either number of a built fraction
    fraction_height: float = 0.3  # em by which the upper number stands above the lower
    fraction_reach: float = 0.4  # em between either number and the slash
    fraction_tolerance: float = 0.1  # em by which the digits differ in size and height at most

    raised_size_ratio: float = 0.8  # em of the letters beside a raised digit, below which it is one
    raised_min_height: float = 0.2  # em that its foot stands above theirs
    raised_reach: float = 0.4  # em between it and the word that carries it
    raised_square: float = 16.0  # pt of the squares by which the words around a mark are found
    raised_max_length: int = 3  # characters of a raised mark at most
    # words of a square that are compared, more than can be legible in it: bounds the time of hostile pages
    raised_max_words: int = 64

    lowered_min_depth: float = 0.02  # em that the foot of a lowered sign hangs below the letters: small capitals do not
    lowered_max_depth: float = 0.4  # em that it hangs at most: what stands lower is of the next line
    lowered_top: float = 0.2  # em that its top stands below theirs
    lowered_reach: float = 0.1  # em between it and a letter that it touches
    lowered_word_gap: float = 0.5  # em of the small print between two words of a line of its own

    margin_top: float = 0.055  # share of the page's height above which running heads stand, and no body text does
    margin_bottom: float = 0.945  # share below which feet and page numbers stand
    margin_gap: float = 0.6  # em between such lines and the text at most where they are lines of it

    gutter_min_lines: int = 4  # lines that share a gutter between columns of text
    # pieces of a line of prose in columns; in one of more, each gap would be weighed against all its words
    gutter_max_pieces: int = 40
    gutter_width: float = (
        0.9  # em of a gap between two columns of text: LaTeX leaves 10 pt between columns of 10 pt type
    )
    gutter_indent: float = 3.0  # em right of a column's margin at which its paragraphs may begin
    gutter_overhang: float = 3.0  # pt left of it that a line may hang out
    max_zone_depth: int = 3  # cuts within cuts of a page (columns in columns): no layout goes deeper
    zone_max_off_margin_lines: int = 3  # lines off the margin amid lines in columns that still stand in columns
    zone_filled: float = 0.62  # share of its column's width that the words of a line of prose fill
    side_block_min_width: float = 36.0  # pt of the narrowest block of text that others stand beside
    side_block_margin: float = 3.0  # pt left of the edge of a block at which it is parted from those on its left
    side_block_max_edges: int = 8  # edges at which most pieces of lines begin, tried as those of a block
    side_block_min_lines: int = 3  # lines at least of each of two blocks side by side
    # em between rows that part what stands below from the blocks above; the second where none are found by the first
    side_block_row_gaps: tuple[float, ...] = (2.0, 0.8)
    side_block_letter_share: float = 0.5  # share of words that begin with a letter in a block of text
    side_table_label_share: float = 0.7  # share of the rows of tables side by side that are a label and figures
    side_block_max_pitch: float = 2.4  # em from line to line of a block, of half of its lines at least
    level_tolerance: float = 0.12  # em by which the feet of level lines differ
    level_share: float = 0.34  # share of the lines of the shorter block that may be level with others
    level_share_of_prose: float = (
        0.67  # the same where most lines of both blocks are prose, as those of a newspaper are
    )
    lone_cell_line_share: float = (
        0.2  # share of lines that go on alone on the left where a gutter parts cells of a table
    )
    cell_indent: float = 1.5  # em that such lines are set in under their own text
    indented_cell_line_share: float = 0.8  # share of them that are

    separator_overlap: float = 1.5  # pt that words may reach over a separator
    wider_gap_ratio: float = 1.6  # median gaps around it that a gap exceeds where it parts two cells
    wide_gap: float = 0.8  # em of a gap that is too wide for any line
    header_edge_tolerance: float = 3.0  # pt between the edges of a header and of its column
    header_centre_tolerance: float = 0.3  # share of its column's width that a header's middle is off it
    header_exact_tolerance: float = (
        1.5  # pt that header words stand off their columns where they are surely each over its own
    )
    rule_letter_gap: float = 0.05  # em that a word which runs two cells together leaves at the wall between them
    rule_word_gap: float = 0.35  # em of a gap that parts cells where an upright rule stands in it

    full_line_share: float = 0.5  # share of the usual number of pieces from which a line tells where columns part
    usual_pieces_quantile: float = 0.8  # quantile of the pieces of the lines that counts as usual
    river_stray_share: float = 0.1  # share of lines whose pieces may stand in a river
    river_support: float = 0.12  # share of lines that have a gap in a river
    river_rule_tolerance: float = 1.5  # pt around a river in which an upright rule takes its place
    river_step: float = 1.0  # pt between the places of a river at which words are counted

    title_capital_share: float = 0.6  # share of longer words with a capital in a title
    max_small_word: int = 3  # letters of words that titles write small


LINES = LineSettings()
