import type { Flag } from './flags.ts';

/** What `ashlar types` was told beside its files. */
export interface TypesFlags {
  readonly zod?: boolean;
}

/** The flags of `ashlar types`. */
export const typesFlags: { readonly [K in keyof TypesFlags]-?: Flag<NonNullable<TypesFlags[K]>> } = {
  zod: {
    group: 'Types',
    meaning: 'write zod source, as defineResource takes it, in the place of TypeScript types',
    parse(given) {
      if (given !== 'true' && given !== 'false') throw new Error(`${given} is neither true nor false`);
      return given === 'true';
    },
  },
};
