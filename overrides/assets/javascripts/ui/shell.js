/* Goes through launch scripts. A page loads it when one is pasted: the parser is larger than all else there. */
import { parse } from "../../vendor/unbash/parser.js";
import { run } from "../calculate/shell/script.js";
import { statements } from "../calculate/shell/tree.js";

globalThis.goThrough = (text) => run(text, (script) => statements(parse(script)));
