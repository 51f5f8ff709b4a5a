import type { FlagTableOf } from '../flags.ts';

/** Flags of `ashlar check-api`. */
export interface CheckApiFlags {
  readonly history?: string;
}

/** The flags of `ashlar check-api`. */
export const checkApiFlags: FlagTableOf<CheckApiFlags> = {
  history: {
    group: 'Checking APIs',
    value: 'DIR',
    meaning:
      'apply the rules of deprecation to all releases of an API, each a folder of definitions in this one',
    parse: (argument) => argument,
  },
};
