/** Who is hurt by a change: objects that are stored already, or clients that were written for what was. */
export type Breakage = 'stored objects' | 'clients';

/** One thing that is different between two sets of definitions. */
export interface ApiChange {
  /** The type, as `plural.group`; of the core group the plural alone. */
  readonly type: string;
  /** The version, where only that is concerned. */
  readonly version?: string;
  /** The field, from the root of the object: `spec.parts[].name`; entries of maps are `{}`. Empty for the whole. */
  readonly path: string;
  /** What is different, in words. */
  readonly change: string;
  /** Empty where the change is compatible. */
  readonly breaks: readonly Breakage[];
}

/** A difference between two schemas. */
export type SchemaChange = Pick<ApiChange, 'path' | 'change' | 'breaks'>;

export const nothing: readonly Breakage[] = [];
export const clients: readonly Breakage[] = ['clients'];
export const storedObjects: readonly Breakage[] = ['stored objects'];
export const everything: readonly Breakage[] = ['stored objects', 'clients'];
