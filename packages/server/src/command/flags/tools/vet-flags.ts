import type { Vocabulary } from '@ashlar/core';
import { text, toggle } from '../flag-kinds.ts';
import type { FlagTableOf } from '../flags.ts';
import { vocabularyFlag } from '../vocabulary-flag.ts';
import { type FindingFormat, outputFlag } from './output-flag.ts';

const GROUP = 'Vetting';

/** Flags of `ashlar vet`. */
export interface VetFlags {
  readonly vocabulary?: Vocabulary;
  readonly expression?: string;
  readonly policies?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly old?: string;
  readonly namespace?: string;
  readonly params?: string;
  readonly explain?: boolean;
  readonly output?: FindingFormat;
}

/** The flags of `ashlar vet`. */
export const vetFlags: FlagTableOf<VetFlags> = {
  vocabulary: vocabularyFlag(GROUP),
  expression: {
    group: GROUP,
    value: 'TEXT',
    meaning: 'evaluate this over each document, as self and object, and print value, type and cost',
    parse(argument) {
      if (argument.trim() === '') throw new Error('the expression is empty');
      return argument;
    },
  },
  policies: {
    group: GROUP,
    value: 'PATH',
    meaning:
      'ask the admission policies of this file or folder about each document; bindings, namespaces and parameters stand beside them',
    parse: (argument) => argument,
  },
  user: {
    group: GROUP,
    value: 'NAME',
    meaning: 'who writes, for policies; default system:admin',
    parse: (argument) => argument,
  },
  groups: {
    group: GROUP,
    value: 'NAMES',
    meaning: 'the groups of --user, separated by commas',
    parse: (argument) => argument.split(','),
  },
  old: text(
    GROUP,
    'FILE',
    'objects before the call: documents of their names are updates of them, for policies and for rules of their types',
  ),
  namespace: text(GROUP, 'FILE', 'namespaces, for policies, besides those of --policies'),
  params: text(GROUP, 'PATH', 'a file or folder of parameters, for policies, besides those of --policies'),
  explain: toggle(GROUP, 'print each expression of the policies with its value, in the order of evaluation'),
  output: outputFlag(GROUP),
};
