/** The result of one case. */
export type CaseResult =
  | { readonly id: string; readonly suite?: string; readonly outcome: 'passed' }
  | {
      readonly id: string;
      readonly suite?: string;
      readonly outcome: 'failed';
      readonly input: unknown;
      readonly expected: unknown;
      readonly actual: unknown;
    }
  | { readonly id: string; readonly suite?: string; readonly outcome: 'skipped'; readonly reason: string };

/** A set of cases that are read from data and compared. */
export interface Suite {
  /** As on the command line: `cel`, `oracles/text`. Modules of the same name add up. */
  readonly name: string;
  /** Runs every case below the folder, which is laid out like `conformance/`. */
  run(dataDirectory: string): AsyncIterable<CaseResult>;
}
