import { LOGGING } from './flag-groups.ts';
import { integer } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

const LOG_FORMATS = ['text', 'json'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

/** From this verbosity on, each request is logged. */
export const VERBOSITY_OF_REQUESTS = 3;

/** Flags of what the server prints about itself. */
export interface LogFlags {
  readonly 'logging-format'?: LogFormat;
  readonly v?: number;
}

export const logFlags: FlagTableOf<LogFlags> = {
  'logging-format': {
    group: LOGGING,
    value: LOG_FORMATS.join('|'),
    meaning: 'format of the log on stderr: lines of text, or an object of JSON on each line (default text)',
    parse(argument) {
      const format = LOG_FORMATS.find((each) => each === argument);
      if (!format) throw new Error(`${JSON.stringify(argument)} is neither ${LOG_FORMATS.join(' nor ')}`);
      return format;
    },
  },
  v: integer(
    LOGGING,
    'N',
    `verbosity of the log: below ${VERBOSITY_OF_REQUESTS} failures and notices, from there on also each request (default 0)`,
    10,
  ),
};
