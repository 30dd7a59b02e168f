"""The process that runs KaTeX: a line of JSON comes in for each formula, and one goes out.

It is started as a program by ``katex.py``, and imports nothing of ours. V8 has threads that do not survive
the fork of a build with several jobs, and a Python that leaves it open may hang at its end; here it can do
neither.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

SECONDS = 60
"""How long one formula may take; it takes a millisecond."""
RENDER = r"""
const FINE = ["unicodeTextInMathMode", "newLineInDisplayMode"];
const refuse = (context) => { throw new katex.ParseError("untrusted " + context.command); };
// An operator of several letters (\bmod) is written as a row of them, which MathML does not know there.
const LETTERS = /(<mo\b[^>]*>)<mrow>((?:<m[in]\b[^>]*>[^<]*<\/m[in]>)+)<\/mrow>(?=<\/mo>)/g;
const joined = (html) => html.replace(LETTERS, (all, mo, letters) => mo + letters.replace(/<[^>]*>/g, ""));
function render(tex, display, macros) {
  const options = {
    displayMode: display, output: "htmlAndMathml", throwOnError: true, macros: macros, trust: refuse,
    strict: (code) => FINE.includes(code) ? "ignore" : "error",
  };
  try {
    return {html: joined(katex.renderToString(tex, options))};
  } catch (error) {
    const known = typeof error.position === "number";
    return {
      fault: String(error.rawMessage || error.message),
      position: known ? [...tex.slice(0, error.position)].length : -1,
    };
  }
}
function forget(names) {
  for (const name of names) katex.__defineMacro("\\" + name, undefined);
  return names.length;
}
"""


def main(packages: str, katex: str) -> None:
    """Answer until there are no more lines."""
    sys.path.insert(0, packages)
    from py_mini_racer import JSEvalException, JSTimeoutException, MiniRacer

    engine = MiniRacer()
    engine.eval(Path(katex).read_text(encoding="utf-8"))
    engine.eval(RENDER)
    engine.call("forget", json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        try:
            answer = engine.call("render", *json.loads(line), timeout_sec=SECONDS)
        except JSTimeoutException:
            answer = {"fault": "it takes too long", "position": -1, "passing": True}
        except JSEvalException as error:
            answer = {"fault": str(error).splitlines()[0], "position": -1}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
    except BaseException as error:
        with suppress(OSError):  # nobody may be there to hear it
            print(json.dumps({"failed": repr(error)}), flush=True)
    finally:
        os._exit(0)
