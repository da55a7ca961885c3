"""Writes glibc.txt: what the GNU C library's functions of angles give to Python. Run: python3 glibc.py

Made with glibc 2.36. A line is

    angle sine cosine tangent  ratio arctangent

as floats in hexadecimal. Left out are the one in 500 that glibc does not round to the nearest float, which takes
mpmath to tell.
"""

import math
import pathlib
import random

import mpmath

mpmath.mp.prec = 300
random.seed(45)
lines = []
while len(lines) < 150:
    degrees, ratio = random.uniform(-360, 360), random.uniform(-1, 1)
    if len(lines) < 14:
        degrees, ratio = [0, 90, 180, 270, 360, 45, -90, 1e-5, 1e4, 1e-300, 30, 60, 135, -45][len(lines)], 10 ** -len(lines)
    angle = math.radians(degrees)
    found = [math.sin(angle), math.cos(angle), math.tan(angle), math.atan(ratio)]
    exact = [mpmath.sin(angle), mpmath.cos(angle), mpmath.tan(angle), mpmath.atan(ratio)]
    if found == [float(each) for each in exact]:
        lines.append(" ".join(each.hex() for each in (angle, *found[:3], float(ratio), found[3])) + "\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))
