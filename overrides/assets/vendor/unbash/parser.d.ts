export type * from "./types.ts";
export { forEachChild } from "./traversal.ts";
import type { ParsedScript } from "./internal-types.ts";
import { type SubstitutionContext } from "./substitution-context.ts";
export declare function parse(source: string): import("./types.ts").ParsedScript;
export declare function parseRegion(source: string, start: number, end: number, depth?: number, parenBoundary?: boolean, context?: SubstitutionContext): ParsedScript;
