/* The log page. */
import { findAll } from "./dom.js";
import { LogBox } from "./log/page.js";

const [box] = findAll(document, "[data-fg=log]");
if (box) new LogBox(box, "log");
