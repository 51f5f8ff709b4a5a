import type { Vocabulary } from '@ashlar/core';
import type { FlagTableOf } from './flags.ts';
import { type FindingFormat, outputFlag } from './output-flag.ts';
import { vocabularyFlag } from './vocabulary-flag.ts';

const GROUP = 'Vetting';

/** Flags of `ashlar vet`. */
export interface VetFlags {
  readonly vocabulary?: Vocabulary;
  readonly expression?: string;
  readonly policies?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly output?: FindingFormat;
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
  policies: {
    group: GROUP,
    value: 'PATH',
    meaning:
      'ask the validating admission policies of this file or folder about each document; bindings, namespaces and parameters stand beside them',
    parse: (given) => given,
  },
  user: {
    group: GROUP,
    value: 'NAME',
    meaning: 'who writes, for policies; default system:admin',
    parse: (given) => given,
  },
  groups: {
    group: GROUP,
    value: 'NAMES',
    meaning: 'the groups of --user, separated by commas',
    parse: (given) => given.split(','),
  },
  output: outputFlag(GROUP),
};
