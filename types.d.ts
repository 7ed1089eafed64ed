/* Names that the browser's scripts share with libraries, with the theme and with each other, for the type check alone. */

/* MiniSearch (overrides/assets/vendor), as far as we use it. */
type Postings = Map<number, Map<number, number>>;
interface TermTree {
  fetch(term: string, make: () => Postings): Postings;
  get(term: string): Postings | undefined;
}
interface MiniSearchHit { id: number; score: number; queryTerms: string[]; terms: string[] }
interface MiniSearchIndex {
  _index: TermTree;
  addAll(documents: object[]): void;
  addAllAsync(documents: object[], options: { chunkSize: number }): Promise<void>;
  search(query: string, options: MiniSearchQuery): MiniSearchHit[];
  autoSuggest(query: string, options: MiniSearchQuery): { suggestion: string }[];
}
interface MiniSearchQuery {
  tokenize?: (text: string) => string[];
  processTerm?: (term: string) => string;
  boostTerm?: (term: string) => number;
  boost?: Record<string, number>;
  prefix?: boolean | ((term: string) => boolean);
  fuzzy?: false | ((term: string) => number | false);
  boostDocument?: (number: number) => number;
}
interface MiniSearchOptions<Document> {
  fields: string[];
  storeFields: string[];
  extractField: (document: Document, field: string) => string | number;
  tokenize: (text: string, field?: string) => string[];
  processTerm: (term: string) => string | null;
}
type MiniSearchClass = new <Document>(options: MiniSearchOptions<Document>) => MiniSearchIndex;
declare const MiniSearch: MiniSearchClass;

/* js-yaml, likewise. */
declare const jsyaml: {
  load(text: string, options: object): unknown;
  FAILSAFE_SCHEMA: object;
  YAMLException: new () => Error & { mark?: { line: number } };
};

/* Between the scripts of a page, and in a frame that stands in for a worker. */
interface Window {
  fieldguide: {
    /** search a text */
    ask(text: string): void;
    /** the text that is searched */
    asked(): string;
    /** the search worker, where pages are opened from a folder */
    searchWorker?: { postMessage(message: unknown): void };
  };
}
declare var workerAddress: string | undefined;
/* What goes through a launch script, loaded when one is pasted. */
declare var goThrough: (text: string) => {
  commands: string[][]; files: Map<string, string>; missing: string[]; variables: Map<string, string | string[]>;
};
declare var fieldguideData: Record<string, any>;
