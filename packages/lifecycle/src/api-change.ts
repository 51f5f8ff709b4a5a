/** Who is affected by a change: stored objects, or clients written for the old definition. */
export type Breakage = 'stored objects' | 'clients';

/** One difference between two sets of definitions. */
export interface ApiChange {
  /** The type, as `plural.group`; for the core group only the plural. */
  readonly type: string;
  /** The version, if only that is affected. */
  readonly version?: string;
  /**
   * The field, from the root of the object: `spec.parts[].name`; entries of maps are `{}`. Empty for the
   * root.
   */
  readonly path: string;
  /** A description of the difference. */
  readonly change: string;
  /** Empty if the change is compatible. */
  readonly breaks: readonly Breakage[];
}

/** A difference between two schemas. */
export type SchemaChange = Pick<ApiChange, 'path' | 'change' | 'breaks'>;

export const nothing: readonly Breakage[] = [];
export const clients: readonly Breakage[] = ['clients'];
export const storedObjects: readonly Breakage[] = ['stored objects'];
export const everything: readonly Breakage[] = ['stored objects', 'clients'];
