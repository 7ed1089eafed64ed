export const MAX_SYNTAX_NESTING = 256;
