import type { SyntaxNode } from "./types.ts";
export declare function forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
