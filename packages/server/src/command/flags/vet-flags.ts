import type { Vocabulary } from '@ashlar/core';
import type { FlagTableOf } from './flags.ts';
import { vocabularyFlag } from './vocabulary-flag.ts';

const GROUP = 'Vetting';

/** Flags of `ashlar vet`. */
export interface VetFlags {
  readonly vocabulary?: Vocabulary;
  readonly expression?: string;
}

/** The flags of `ashlar vet`. */
export const vetFlags: FlagTableOf<VetFlags> = {
  vocabulary: vocabularyFlag(GROUP),
  expression: {
    group: GROUP,
    value: 'TEXT',
    meaning: 'evaluate this over each document, as self and object, and print value, type and cost',
    parse(given) {
      if (given.trim() === '') throw new Error('the expression is empty');
      return given;
    },
  },
};
