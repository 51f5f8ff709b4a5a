import type { Vocabulary } from '@ashlar/core';
import { text, toggle } from '../flag-kinds.ts';
import type { FlagTableOf } from '../flags.ts';
import { vocabularyFlag } from '../vocabulary-flag.ts';

/** Flags of `ashlar types`. */
export interface TypesFlags {
  readonly vocabulary?: Vocabulary;
  readonly zod?: boolean;
  readonly out?: string;
  readonly watch?: boolean;
}

/** The flags of `ashlar types`. */
export const typesFlags: FlagTableOf<TypesFlags> = {
  vocabulary: {
    ...vocabularyFlag('Types'),
    meaning: 'names on the wire of the definitions that are read (default: of all)',
  },
  zod: toggle('Types', 'print zod schemas, as defineResource accepts them, instead of TypeScript types'),
  out: text(
    'Types',
    'FOLDER',
    'write a module for each group into the folder, with types and typed resources for clients',
  ),
  watch: toggle('Types', 'write again whenever a file changes, until SIGINT or SIGTERM; needs --out'),
};
