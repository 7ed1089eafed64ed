/* A text without what names people, machines, places and secrets. Too much is masked rather than too little. */

const PUBLIC = "github\\.com|huggingface\\.co|pytorch\\.org|docs\\.ray\\.io|docs\\.python\\.org|pypi\\.org|docs\\.nvidia\\.com|hf-mirror\\.com|modelscope\\.cn";
const SECRET = "[A-Za-z0-9_-]*(?:token|key|secret|passw(?:or)?d|pwd|passphrase|credentials?|auth(?:orization)?|cookie)(?:_?id)?";
const VALUE = "(?:\"[^\"\\n]*\"|'[^'\\n]*'|(?:Bearer |Basic )?[^\\s\"',;)}\\]]+)";
// Known code below a private folder stays readable: the part from the package on.
const PACKAGES = "site-packages|dist-packages|slime|roll|chatlearn|megatron|vllm|sglang|ray|torch|transformers|verl|accelerate|deepspeed";
/** @type {[found: RegExp, replacement: string][]} */
const MASKS = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "<secret>"],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, "$1<user>@"],
  [/\b(?:hf|gh[pousr]|glpat|xox[abeprs]|pypi|npm|dckr_pat|github_pat|wandb_v1)[_-][A-Za-z0-9_-]{8,}/g, "<token>"],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, "<token>"],
  [/\b(?:AKIA|ASIA|LTAI|AIza)[A-Za-z0-9_-]{12,}/g, "<token>"],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g, "<token>"],
  [/\b(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/g, "<token>"],
  [/\b[0-9a-f]{40}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b/gi, "<key>"],
  [new RegExp(`(^|[^A-Za-z0-9_])(${SECRET})(["']?\\s*[=:]\\s*)${VALUE}`, "gim"), "$1$2$3<secret>"],
  [new RegExp(`(--${SECRET}\\s+)(?!-)${VALUE}`, "gi"), "$1<secret>"],
  [/\b(user(?:name)?|login|hostname|host|node_?name|master_addr|node_ip_address|owner)(["']?\s*[=:]\s*)("[^"\n]*"|'[^'\n]*'|[^\s"',;)}\]]+)/gi, "$1$2<name>"],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "<e-mail>"],
  [/\b[\w.-]+@[\w-]+(?=[:\s])/g, "<user>"],
  [new RegExp(`\\b([a-z][a-z0-9+.-]*://)(?!(?:www\\.)?(?:${PUBLIC})\\b)(?!<)[^\\s'"<>)\\]}]+`, "gi"), "$1<address>"],
  [/(\b[a-z][a-z0-9+.-]*:\/\/<user>@)[^\s'"<>)\]}]+/gi, "$1<address>"],
  [/\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]{1,5})?\b/g, "<ip>"],
  [/(?<![\w:])(?:(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?![\w:])/gi, "<ip>"],
  [/\bip-[0-9]+-[0-9]+-[0-9]+-[0-9]+(?:\.[\w.-]+)?/g, "<host>"],
  [/\b(?:[a-z0-9]+-)+(?:node|gpu|host|master|worker|head|server|dgx)-?[0-9]+(?:-[a-z0-9]+)*\b|\b(?:node|gpu|host|master|worker|head|server|dgx)(?:-[a-z0-9]+)*-[0-9]+\b/gi, "<host>"],
  [new RegExp(`\\b(?!(?:www\\.)?(?:${PUBLIC})\\b)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:com|cn|net|org|edu|gov|cloud|internal|local|lan|corp|intra|svc|dev|ai)\\b(?![\\w(.])(?::[0-9]{1,5})?`, "gi"), "<host>"],
  [new RegExp(`(^|[^\\w.<>/:-])~?(?:/[^\\s/'":;,()\\[\\]{}<>|*]+)*/((?:${PACKAGES})/[^\\s'":;,()\\[\\]{}<>|*]+)`, "gm"), "$1<path>/$2"],
  [/(^|[^\w.<>/:-])(?:~|\.{1,2})?(?:\/[^\s/'":;,()[\]{}<>|*]+){2,}\/?/gm, "$1<path>"],
  [/(^|[^\w.<>/:-])~\/[^\s'":;,()[\]{}<>|*]+/gm, "$1<path>"],
  [/\b[A-Za-z]:\\[^\s'":;,()[\]{}<>|*]+/g, "<path>"],
];

/** @param {string} text */
export function mask(text) {
  return MASKS.reduce((masked, [found, replacement]) => masked.replace(found, replacement), text);
}
