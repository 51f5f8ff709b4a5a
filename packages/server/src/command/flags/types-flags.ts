import { toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** What `ashlar types` was told beside its files. */
export interface TypesFlags {
  readonly zod?: boolean;
}

/** The flags of `ashlar types`. */
export const typesFlags: FlagTableOf<TypesFlags> = {
  zod: toggle('Types', 'write zod source, as defineResource takes it, in the place of TypeScript types'),
};
