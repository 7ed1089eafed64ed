/* Rules for the scripts of the browser, beside ESLint's own recommendation. Names are checked by TypeScript, which knows them. */
import js from "@eslint/js";

export default [
  { ignores: ["overrides/assets/vendor/", "site/", "dist/", ".venv*/", ".upstream/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "arrow-body-style": "error",
      "eqeqeq": "error",
      "max-lines": ["error", 300],
      "no-undef": "off",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_$" }],
      "no-useless-assignment": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
    { files: ["bench/*.js", "scripts/serve/*.js"], languageOptions: { sourceType: "script" } }, // loaded as they are
];
