import { compileCbor, plainCbor, selfDescribed } from '@ashlar/codec';
import type { JsonObject } from '@ashlar/core';
import type { BodyFormat, EncodedKind } from './body-format.ts';
import { brokenCbor } from './broken-cbor.ts';
import type { Choices } from './choices.ts';
import { customType } from './custom-type.ts';
import { variedCbor } from './varied-cbor.ts';

const CBOR = 'application/cbor';

/** Bodies in CBOR, which servers have with the feature gate CBORServingAndStorage. */
export const cborBodies: BodyFormat = {
  mediaType: CBOR,
  accepts: [
    CBOR,
    CBOR,
    CBOR,
    'application/json',
    `${CBOR};as=Table;v=v1;g=meta.k8s.io`,
    `${CBOR};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
    'application/cbor-seq',
    `application/vnd.kubernetes.protobuf,${CBOR}`,
  ],
  applyType: 'application/apply-patch+cbor',
  hasCustomObjects: true,
  encode: encoded,
  unusual: (choices, _, object) =>
    choices.chance(50) ? variedBody(choices, object) : brokenCbor(choices, object),
};

function encoded({ apiVersion, kind, schema }: EncodedKind, object: JsonObject): Uint8Array | undefined {
  try {
    const isCustom = apiVersion === customType.collection.apiVersion;
    // clients do not know the schemas of custom objects: what is an integer, they send as one
    const codec = isCustom ? plainCbor : compileCbor(schema);
    return selfDescribed(codec.encode({ apiVersion, kind, ...object }));
  } catch (error) {
    // recorded objects also have members of other types
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function variedBody(choices: Choices, object: JsonObject): { bytes: Uint8Array; about: string } {
  const { bytes, forms } = variedCbor(choices, object);
  return { bytes, about: ` (${[...forms].sort().join(', ')})` };
}
