/* Names that the browser's scripts share with libraries, with the theme and with each other, for the type check alone. */

/* js-yaml (overrides/assets/vendor), as far as we use it. */
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
    /** what is known of the versions that a text names */
    versionsIn(text: string): Promise<import("./overrides/assets/javascripts/scan/shown.js").Versions>;
    /** what shows the logs of a run: `Runs` of ui/run/page.js, which workers cannot know */
    run: unknown;
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
