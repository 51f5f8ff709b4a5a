import type { OwnerReference } from '@ashlar/core';
import type { OwnerGraph } from './owner-graph.ts';
import { type OwnedType, type Ownership, type OwnershipSource, waitsFor } from './ownership.ts';

/** The owner references of an object by the state of their owners. */
export interface ClassifiedOwners {
  /** Owners that stay. */
  readonly solid: readonly OwnerReference[];
  /** Owners that do not exist. */
  readonly absent: readonly OwnerReference[];
  /** Owners that were deleted in the foreground, and wait for their dependents. */
  readonly waiting: readonly OwnerReference[];
  /** The first one that cannot be classified, if any: the others are not complete. */
  readonly unknown?: UnknownOwner;
}

/** A reference of which it is unknown whether its owner exists, so that the object stays. */
export interface UnknownOwner {
  /** `no-type` until its kind is served; `no-namespace` for a namespaced owner of a cluster-scoped object. */
  readonly because: 'no-type' | 'no-namespace';
  readonly reference: OwnerReference;
}

export interface ClassifyOptions {
  readonly graph: OwnerGraph;
  readonly source: OwnershipSource;
  /** Called between references, of which an object may have ten thousand: pauses when it is time. */
  readonly letOthersWork: () => Promise<void>;
}

type OwnerState = 'solid' | 'absent' | 'waiting';

/** Finds the owners of an object (semantics/lifecycle#garbage-collection). */
export async function classifyOwners(
  object: Ownership,
  { graph, source, letOthersWork }: ClassifyOptions,
): Promise<ClassifiedOwners> {
  const found: Record<OwnerState, OwnerReference[]> = { solid: [], absent: [], waiting: [] };
  for (const reference of object.owners) {
    await letOthersWork();
    if (graph.isRemoved(reference.uid, object.namespace)) {
      found.absent.push(reference);
      continue;
    }
    const type = source.typeOf(reference.apiVersion, reference.kind);
    if (!type) return { ...found, unknown: { because: 'no-type', reference } };
    if (type.namespaced && object.namespace === '')
      return { ...found, unknown: { because: 'no-namespace', reference } };
    const namespace = type.namespaced ? object.namespace : '';
    const state = isKnown(graph, reference, namespace)
      ? stateOf(graph.get(reference.uid))
      : await findOwner(reference, { graph, source, type, namespace });
    found[state].push(reference);
  }
  return found;
}

function isKnown(graph: OwnerGraph, { uid, apiVersion, kind, name }: OwnerReference, namespace: string) {
  const place = graph.placeOf(uid);
  return (
    place !== undefined &&
    place.name === name &&
    place.kind === kind &&
    place.namespace === namespace &&
    place.apiVersion === apiVersion
  );
}

interface FindOptions extends Omit<ClassifyOptions, 'letOthersWork'> {
  readonly type: OwnedType;
  readonly namespace: string;
}

async function findOwner(
  { uid, apiVersion, kind, name }: OwnerReference,
  { graph, source, type, namespace }: FindOptions,
): Promise<OwnerState> {
  const owner = await source.find(type, namespace, name);
  if (owner?.uid !== uid) return 'absent';
  graph.setPlace(uid, { apiVersion, kind, namespace, name });
  return stateOf(owner);
}

const stateOf = (owner: Ownership | undefined): OwnerState =>
  owner && waitsFor(owner) === 'deletion' ? 'waiting' : 'solid';
