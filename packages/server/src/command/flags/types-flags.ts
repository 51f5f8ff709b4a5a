import { toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags of `ashlar types`. */
export interface TypesFlags {
  readonly zod?: boolean;
}

/** The flags of `ashlar types`. */
export const typesFlags: FlagTableOf<TypesFlags> = {
  zod: toggle('Types', 'print zod schemas, as defineResource accepts them, instead of TypeScript types'),
};
