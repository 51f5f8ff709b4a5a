import type { ServedResource } from '../catalog/served-resource.ts';

/** A kind in documents. */
export interface KindMarker {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kind of a resource type's objects. */
export function markerOf({ definition, version }: ServedResource): KindMarker {
  return { group: definition.group, version: version.name, kind: definition.names.kind };
}
