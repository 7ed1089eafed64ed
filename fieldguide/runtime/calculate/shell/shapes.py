"""The few shapes that a script is made of, whichever parser read it.

Both sides make the same shapes, as tuples here and as arrays in `overrides/assets/javascripts/calculate/shell/tree.js`:

- word: a list of parts: `text s quoted` · `param name index prefix operator words quoted source` · `math expression quoted
  source` · `run statements quoted source` · `open source quoted` (what nobody can say without running it);
- expression: `word w` · `binary operator a b` · `unary operator a` · `choice test a b` · `open`;
- test: `unary operator w` · `binary operator a b` · `and a b` · `or a b` · `not a` · `open`;
- statement: `simple assignments words redirects` · `if branches otherwise` · `while body` · `for name words body` ·
  `case word items` · `function name body` · `block statements` · `and a b` · `or a b` · `not a` · `pipe statements` ·
  `test t` · `math expression`; an assignment is `name index append value`, a list of words is `array words`,
  and a redirection `here text tabs`, `to word` or `other word`.
"""

from typing import Any

Shape = tuple[Any, ...]
Word = list[Shape]
