"""Suffixes of files without text to read: pictures, sound, films, archives, fonts, programs."""

from __future__ import annotations

_PICTURES = (
    ".ai .apng .avif .bmp .eps .gif .heic .heif .icns .ico .jfif .jpeg .jpg .jxl .png .psd .svg .svgz .tga .tif .tiff "
    ".webp .xcf"
)
_SOUNDS = ".3gp .aac .aif .aiff .amr .caf .flac .m4a .m4b .mid .midi .mp3 .oga .ogg .opus .wav .weba .wma"
_FILMS = ".avi .flv .m4v .mkv .mov .mp4 .mpeg .mpg .ogv .webm .wmv"
_ARCHIVES = ".7z .bz2 .dmg .gz .iso .rar .tar .tgz .xz .zip .zst"
_FONTS = ".eot .otf .ttc .ttf .woff .woff2"
_PROGRAMS = ".apk .class .dll .dylib .exe .jar .msi .o .pyc .so .wasm"
TEXTLESS = frozenset(f"{_PICTURES} {_SOUNDS} {_FILMS} {_ARCHIVES} {_FONTS} {_PROGRAMS}".split())
"""Suffixes of files without text to read. PDF is not among them: it is a document."""
