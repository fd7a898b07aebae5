"""Settings of how characters are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CharacterSettings:
    """Thresholds by which characters, lost glyphs and drawn lines of a page are read.

    Units: pt is a point (1/72 inch), em the font size of the line, height that of the letters, share a part of 1.
    """

    duplicate_distance: float = 0.12  # em between the two prints of a letter that is printed twice to look bold: a hair
    min_duplicates: int = 2  # letters printed twice on a page before it is searched: one pair may be an accident
    # letters compared in a square of two points, the latest: bounds the time of hostile pages
    max_duplicates_compared: int = 16

    text_layer_min_chars: int = 100  # visible characters from which a page has a text layer, whatever pictures it shows
    picture_share: float = 0.5  # share of the page that pictures cover where its text is in them
    outline_min_curves: int = 200  # curves of a page without a character from which its letters are drawn as outlines
    garbled_share: float = 0.3  # share of visible characters without a meaning from which a text layer is reported
    min_garbled_chars: int = 20  # such characters at least: a few symbols of an unknown font are no damage

    ocr_scale: float = 200 / 72  # pixels to the point: 200 dots an inch, at which the models read small print
    # pixels of a rendered page at most, which bounds memory; Letter at 200 dots an inch has 3.7 million
    ocr_max_pixels: int = 6_000_000
    ocr_ink: int = 48  # grey levels of 255 from the line's median that count as ink
    ocr_space: float = 0.16  # heights of the line that a blank between letters has at least
    ocr_figure_space: float = 0.28  # the same between figures and their signs: a 1 has wide margins
    ocr_digit_space: float = 0.4  # the same between two digits
    ocr_space_ratio: float = 1.6  # times the median blank of its line that a space has at least

    max_damaged_word_length: int = 60  # characters of a word that is looked up; longer runs are no words
    max_compared_words: int = 400  # distinct words that are compared for a glyph: more would not change the reading
    # letters of words of the document that count as known: shorter ones may be parts of damaged words
    min_known_word_length: int = 4
    clear_majority: int = 2  # times as many words as for any other reading before one is believed
    sure_word_count: int = 2  # words for a reading alone before it is put into words that are in no list
    sure_majority: int = 10  # times as many as for any other reading: a code of several ligatures has words for each

    # letters in both map and encoding before the map's small letters count as capitals
    min_compared_letters: int = 3

    # rise of a line by its run, or the other way round, above which it is slanted: 10 degrees; scans lie askew by less
    min_slope: float = 0.176
    slanted_max_distance: float = 1.5  # sides of a slanted letter's box at most between its middle and the next one's
    rotated_share: float = 0.5  # share of visible characters that are turned alike on a page which is read turned

    max_rule_thickness: float = 3.0  # pt across a box that is drawn as a line
    place_tolerance: float = 1.0  # pt between two lines, or ends of one, that count as one place
    max_dash_gap: float = 3.5  # pt between the dashes of one line
    min_rule_length: float = 6.0  # pt of a line that may part cells; shorter strokes belong to letters and pictures
    # paths of a page, above which only long ones are read: a drawing of thousands of strokes is no table
    max_drawings: int = 6000
    background_share: float = 0.5  # share of the page from which a shade is its background


CHARACTERS = CharacterSettings()
