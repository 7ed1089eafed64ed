import type { WordPart } from "./internal-types.ts";
export declare function unescapeBareValue(text: string): string;
export declare function wordPartsValue(parts: WordPart[]): string;
