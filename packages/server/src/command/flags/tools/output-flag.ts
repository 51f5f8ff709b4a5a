import type { Flag } from '../flags.ts';

/** How findings are printed. */
export type FindingFormat = 'text' | 'json' | 'sarif';

const FORMATS: readonly FindingFormat[] = ['text', 'json', 'sarif'];

/** The flag `--output` of commands that report findings in files. */
export const outputFlag = (group: string): Flag<FindingFormat> => ({
  group,
  value: FORMATS.join('|'),
  meaning: 'how findings are printed (default text)',
  parse(argument) {
    const format = FORMATS.find((candidate) => candidate === argument);
    if (!format) throw new Error(`${JSON.stringify(argument)} is none of ${FORMATS.join(', ')}`);
    return format;
  },
});
