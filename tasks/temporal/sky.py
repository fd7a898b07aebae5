"""New moons, to within a minute, and the sun's longitude, to within four, in the years 1850 to 2150.

Source: J. Meeus, Astronomical Algorithms, 2nd edition, chapter 49 (phases of the moon), and Astronomical Formulae for
Calculators, chapter 18 (the sun); the difference of dynamical and universal time is the parabola of Morrison and
Stephenson.
"""

from __future__ import annotations

from math import floor, radians, sin

MONTH = 29.530588861
"""The mean synodic month, in days."""

_EPOCH = 2451550.09766
_YEAR = 365.2422

# Coefficient in days; power of the eccentricity; multiples of the sun's and moon's anomalies and of the argument of
# latitude.
_MOON = (
    (-0.40720, 0, 0, 1, 0), (0.17241, 1, 1, 0, 0), (0.01608, 0, 0, 2, 0), (0.01039, 0, 0, 0, 2),
    (0.00739, 1, -1, 1, 0), (-0.00514, 1, 1, 1, 0), (0.00208, 2, 2, 0, 0), (-0.00111, 0, 0, 1, -2),
    (-0.00057, 0, 0, 1, 2), (0.00056, 1, 1, 2, 0), (-0.00042, 0, 0, 3, 0), (0.00042, 1, 1, 0, 2),
    (0.00038, 1, 1, 0, -2), (-0.00024, 1, -1, 2, 0), (-0.00007, 0, 2, 1, 0), (0.00004, 0, 0, 2, -2),
    (0.00004, 0, 3, 0, 0), (0.00003, 0, 1, 1, -2), (0.00003, 0, 0, 2, 2), (-0.00003, 0, 1, 1, 2),
    (0.00003, 0, -1, 1, 2), (-0.00002, 0, -1, 1, -2), (-0.00002, 0, 1, 3, 0), (0.00002, 0, 0, 4, 0),
)  # fmt: skip
# Coefficient in days; angle at the epoch and its motion a month, in degrees.
_PLANETS = (
    (0.000325, 299.77, 0.107408), (0.000165, 251.88, 0.016321), (0.000164, 251.83, 26.651886),
    (0.000126, 349.42, 36.412478), (0.000110, 84.66, 18.206239), (0.000062, 141.74, 53.303771),
    (0.000060, 207.14, 2.453732), (0.000056, 154.84, 7.306860), (0.000047, 34.52, 27.261239),
    (0.000042, 207.19, 0.121824), (0.000040, 291.34, 1.844379), (0.000037, 161.72, 24.198154),
    (0.000035, 239.56, 25.513099), (0.000023, 331.55, 3.592518),
)  # fmt: skip

# What Venus, Jupiter and the moon do to the sun: degrees; angle in 1900 and its motion a century, in degrees.
_PULLS = (
    (0.00134, 243.23, 22518.7541), (0.00154, 306.57, 45037.5082), (0.00200, 42.69, 32964.3577),
    (0.00179, 350.74, 445267.1142), (0.00178, 231.19, 20.20),
)  # fmt: skip


def new_moon(number: int) -> float:
    """The Julian day, in universal time, of the `number`-th new moon after that of 6 January 2000."""
    century = number / 1236.85
    sun = radians(2.5534 + 29.10535670 * number - 0.0000014 * century**2)
    moon = radians(201.5643 + 385.81693528 * number + 0.0107582 * century**2)
    latitude = radians(160.7108 + 390.67050284 * number - 0.0016118 * century**2)
    node = radians(124.7746 - 1.56375588 * number + 0.0020672 * century**2)
    eccentricity = 1 - 0.002516 * century - 0.0000074 * century**2
    mean = _EPOCH + MONTH * number + 0.00015437 * century**2
    periodic = sum(
        size * eccentricity**power * sin(of_sun * sun + of_moon * moon + of_latitude * latitude)
        for size, power, of_sun, of_moon, of_latitude in _MOON
    )
    planets = sum(size * sin(radians(start + motion * number)) for size, start, motion in _PLANETS)
    return _universal(mean + periodic + planets - 0.00017 * sin(node))


def number_of_moon(day: float) -> int:
    """The number of the last mean new moon before a Julian day."""
    return floor((day - _EPOCH) / MONTH)


def sun_reaches(degrees: float, near: float) -> float:
    """The Julian day, in universal time, nearest to `near` at which the sun's apparent longitude is `degrees`."""
    day = near
    for _ in range(6):
        day += ((degrees - sun_longitude(day) + 180) % 360 - 180) * _YEAR / 360
    return _universal(day)


def sun_longitude(day: float) -> float:
    """The sun's apparent longitude in degrees at a Julian day of dynamical time."""
    century = (day - 2415020.0) / 36525
    anomaly = radians(358.47583 + 35999.04975 * century - 0.00015 * century**2)
    centre = (
        (1.919460 - 0.004789 * century - 0.000014 * century**2) * sin(anomaly)
        + (0.020094 - 0.0001 * century) * sin(2 * anomaly)
        + 0.000293 * sin(3 * anomaly)
    )
    pulls = sum(size * sin(radians(start + motion * century)) for size, start, motion in _PULLS)
    node = radians(259.18 - 1934.142 * century)
    mean = 279.69668 + 36000.76892 * century + 0.0003025 * century**2
    return (mean + centre + pulls - 0.00569 - 0.00479 * sin(node)) % 360


def _universal(day: float) -> float:
    centuries = (2000 + (day - 2451545.0) / _YEAR - 1820) / 100
    return day - (-20 + 32 * centuries**2) / 86400
