import type { JsonPieces } from '@ashlar/audit';
import {
  DecodeError,
  decodeCborSteps,
  decodeJsonSteps,
  encodeJsonSteps,
  yamlSerializer,
} from '@ashlar/codec';
import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metaGroup,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { APPLY_CBOR_PATCH, APPLY_PATCH } from '../request/read-apply.ts';
import { shownContent } from './shown-content.ts';

/** Makes JSON of what a request has submitted, when its event is written; undefined if there is nothing to show. */
export type SubmittedContent = () => Steps<JsonPieces | undefined>;

/** A decoded object, with its empty time of creation. */
export function submittedObject(object: ApiObject, omitManagedFields: boolean): SubmittedContent {
  return function* () {
    const value = object as unknown as JsonObject;
    const created = isJsonObject(value.metadata)
      ? { ...value, metadata: { creationTimestamp: null, ...value.metadata } }
      : value;
    return yield* shownContent(yield* encodeJsonSteps(created), { omitManagedFields });
  };
}

/** The options of a deletion, of which the body said something. */
export function submittedOptions(options: JsonObject, vocabulary: Vocabulary): SubmittedContent {
  const kind = { kind: 'DeleteOptions', apiVersion: `${metaGroup(vocabulary)}/__internal` };
  return () => jsonSteps({ ...options, ...kind });
}

/** A patch as it was sent; nothing of one that cannot be read. */
export function submittedPatch(bytes: Uint8Array, type: string): SubmittedContent {
  return function* () {
    try {
      const value = yield* patchSteps(bytes, type);
      return yield* jsonSteps(value);
    } catch (error) {
      if (DecodeError.is(error)) return undefined;
      throw error;
    }
  };
}

function* patchSteps(bytes: Uint8Array, type: string): Steps<JsonValue> {
  if (type === APPLY_CBOR_PATCH) return (yield* decodeCborSteps(bytes)).value;
  if (type === APPLY_PATCH) return (yield* yamlSerializer.decodeSteps(bytes, { strict: true })).value;
  return (yield* decodeJsonSteps(bytes)).value;
}

function* jsonSteps(value: JsonValue): Steps<JsonPieces> {
  return [yield* encodeJsonSteps(value)];
}
