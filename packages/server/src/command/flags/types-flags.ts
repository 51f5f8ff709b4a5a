import type { Vocabulary } from '@ashlar/core';
import { toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';
import { vocabularyFlag } from './vocabulary-flag.ts';

/** Flags of `ashlar types`. */
export interface TypesFlags {
  readonly vocabulary?: Vocabulary;
  readonly zod?: boolean;
}

/** The flags of `ashlar types`. */
export const typesFlags: FlagTableOf<TypesFlags> = {
  vocabulary: {
    ...vocabularyFlag('Types'),
    meaning: 'names on the wire of the definitions that are read (default: of all)',
  },
  zod: toggle('Types', 'print zod schemas, as defineResource accepts them, instead of TypeScript types'),
};
