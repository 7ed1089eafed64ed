/* What every page loads, behind the theme's own script. */
import "./keep.js";
import "./language.js";
import "./filter.js";
import "./results.js";
import "./marks.js";
import "./tooltip.js";
import "./copyfix.js";
import "./accessible.js";
