"""The names of the boolean functions of three sources, as Intel's assembler writes them."""

from __future__ import annotations

_NAMES = """
    zeros ~s0&~s1&~s2 s0&~s1&~s2 ~s1&~s2 ~s0&s1&~s2 ~s0&~s2 (s0^s1)&~s2 (~s0|~s1)&~s2 s0&s1&~s2 (s0^~s1)&~s2
    s0&~s2 (s0|~s1)&~s2 s1&~s2 (~s0|s1)&~s2 (s0|s1)&~s2 ~s2 ~s0&~s1&s2 ~s0&~s1 (s0^s2)&~s1 (~s0|~s2)&~s1
    ~s0&(s1^s2) ~s0&(~s1|~s2) s0^(s0&s1|s1^s2) ~s0&~s1|(~s0|~s1)&~s2 (s0^s2)&(s1^s2) s0^(s0&s2|~s1)
    s0^(s0|~s1)&s2 s0&~s2|~s0&~s1 (s0&s2|s1)^s2 ~s0&~s1|s1&~s2 (s0|s1)^s2 ~s0&~s1|~s2 s0&~s1&s2 (s0^~s2)&~s1
    s0&~s1 (s0|~s2)&~s1 (s0^s1)&(s1^s2) s0^(s0&s1|~s2) s0^(s0|~s2)&s1 s0&~s1|~s0&~s2 s0&(s1^s2)
    s0^(s0|~s1)&(s1^~s2) s0&(~s1|~s2) s0&~s1|(s0|~s1)&~s2 (~s0&s2|s1)^s2 (~s0|s1)^s2 s0&~s1|s1&~s2 s0&~s1|~s2
    ~s1&s2 (~s0|s2)&~s1 (s0|s2)&~s1 ~s1 (s0&s1|s2)^s1 ~s0&~s2|~s1&s2 (s0|s2)^s1 ~s0&~s2|~s1 (~s0&s1|s2)^s1
    (~s0|s2)^s1 s0&~s2|~s1&s2 s0&~s2|~s1 s1^s2 ~s0&~s1|s1^s2 s0&~s1|s1^s2 ~s1|~s2 ~s0&s1&s2 ~s0&(s1^~s2)
    (s0^s1)&(s1^~s2) (s0&s1|~s2)^s1 ~s0&s1 ~s0&(s1|~s2) s0^(s0&s2|s1) ~s0&s1|~s1&~s2 (s0^s2)&s1
    s0^(s0&s2|s1^~s2) s0^(s0|s1)&s2 (s0|~s1)^s2 (~s0|~s2)&s1 ~s0&s1|(~s0|s1)&~s2 s0&~s2|~s0&s1 ~s0&s1|~s2 ~s0&s2
    ~s0&(~s1|s2) s0^(s0&s1|s2) ~s0&s2|~s1&~s2 ~s0&(s1|s2) ~s0 s0^(s1|s2) ~s0|~s1&~s2 s0^(s0&~s1|s2) s0^(~s1|s2)
    s0^s2 s0^s2|~s0&~s1 ~s0&s2|s1&~s2 ~s0|s1&~s2 s0^s2|s1&~s2 ~s0|~s2 (s0^s1)&s2 s0^(s0&s1|s1^~s2) s0^(s0|s2)&s1
    (s0|~s2)^s1 s0^(s0&~s2|s1) s0^(s1|~s2) s0^s1 s0^s1|~s0&~s2 s0^(s0|s1)&(s1^~s2) s0^s1^~s2 s0^s1&s2
    s0^s1&s2|~s1&~s2 (~s0|~s2)^~s1 s0^(s1|~s2)|s1&~s2 s0^s1|s0&~s2 s0^s1|~s2 (~s0|~s1)&s2 ~s0&s2|(~s0|s2)&~s1
    s0&~s1|~s0&s2 ~s0&s2|~s1 ~s0&s1|~s1&s2 ~s0|~s1&s2 s0^s1|~s0&s2 ~s0|~s1 (~s0|~s1)^~s2 s0^(~s1|s2)|~s1&s2
    s0^s2|s0&~s1 s0^s2|~s1 ~s0&s1|s1^s2 ~s0|s1^s2 s0^s1|s1^s2 ~s0|~s1|~s2 s0&s1&s2 (s0^~s1)&(s1^~s2) s0&(s1^~s2)
    (~s0&s1|~s2)^s1 (s0^~s2)&s1 s0^(s0&~s1|~s2) s0^(s0|s1)&(s1^s2) (~s0|~s1)^s2 s0&s1 s0^(s0|~s2)&~s1
    s0&(s1|~s2) s0&s1|~s1&~s2 (s0|~s2)&s1 s0&s1|~s0&~s2 s0&s1|(s0|s1)&~s2 s0&s1|~s2 (s0^~s1)&s2 s0^(s0&~s2|~s1)
    s0^(s0|s2)&(s1^s2) (~s0|~s2)^s1 s0^(s0&~s1|s1^s2) s0^(~s1|~s2) s0^s1^s2 s0^(~s1|~s2)|~s1&~s2 s0^(s0|s2)&~s1
    s0^~s1 s0^~s1&s2 s0^~s1|s0&~s2 (s0|~s2)^~s1 s0^~s1|s1&~s2 s0^~s1&s2|s1&~s2 s0^~s1|~s2 s0&s2 s0^(s0|~s1)&~s2
    s0&(~s1|s2) s0&s2|~s1&~s2 s0^(s0|s1)&~s2 s0^~s2 s0^s1&~s2 s0^~s2|s0&~s1 s0&(s1|s2) s0^~s1&~s2 s0 s0|~s1&~s2
    s0&s2|s1&~s2 s0^~s2|s0&s1 s0|s1&~s2 s0|~s2 (s0|~s1)&s2 s0&s2|~s0&~s1 s0&s2|(s0|s2)&~s1 s0&s2|~s1
    (s0|~s1)^~s2 s0^~s2|~s0&~s1 s0^s1&~s2|~s1&s2 s0^~s2|~s1 s0&s1|~s1&s2 s0^~s1|s0&s2 s0|~s1&s2 s0|~s1
    s0&s1|s1^s2 s0^~s1|s1^s2 s0|s1^s2 s0|~s1|~s2 s1&s2 (s0&~s1|s2)^~s1 (~s0&~s1|s2)^~s1 s1^~s2 (~s0|s2)&s1
    ~s0&~s2|s1&s2 (~s0|s2)^~s1 ~s0&s1|s1^~s2 (s0|s2)&s1 (s0|s2)^~s1 s0&~s2|s1&s2 s0&s1|s1^~s2 s1 ~s0&~s2|s1
    s0&~s2|s1 s1|~s2 (~s0|s1)&s2 ~s0&~s1|s1&s2 (~s0|s1)^~s2 ~s0&s2|s1^~s2 ~s0&s1|(~s0|s1)&s2 ~s0|s1&s2
    s0^(s1|s2)|s1&s2 ~s0|s1^~s2 s0&s1|~s0&s2 s0^~s1|s1&s2 s0^s2|s0&s1 s0^s2|s1^~s2 ~s0&s2|s1 ~s0|s1 s0^s2|s1
    ~s0|s1|~s2 (s0|s1)&s2 (s0|s1)^~s2 s0&~s1|s1&s2 s0&s2|s1^~s2 s0&s2|~s0&s1 s0^~s2|s1&s2 s0^s1|s0&s2
    s0^s1|s1^~s2 s0&s1|(s0|s1)&s2 s0^~s1&~s2|s1&s2 s0|s1&s2 s0|s1^~s2 s0&s2|s1 s0^~s2|s1 s0|s1 s0|s1|~s2 s2
    ~s0&~s1|s2 s0&~s1|s2 ~s1|s2 ~s0&s1|s2 ~s0|s2 s0^s1|s2 ~s0|~s1|s2 s0&s1|s2 s0^~s1|s2 s0|s2 s0|~s1|s2 s1|s2
    ~s0|s1|s2 s0|s1|s2 ones
"""

BOOLEAN_FUNCTIONS = tuple(_NAMES.split())
"""The names by truth table, whose bit `s0 + 2 * s1 + 4 * s2` is the value; `&` binds first, then `^`, then `|`."""

TRUTH_TABLES = {name: table for table, name in enumerate(BOOLEAN_FUNCTIONS)}
