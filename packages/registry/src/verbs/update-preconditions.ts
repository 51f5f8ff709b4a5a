import {
  type ApiObject,
  FieldErrors,
  type JsonValue,
  PrintedValue,
  StatusError,
  valueAt,
} from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { UpdateRequest } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { readableVersion, significantDigits } from './readable-version.ts';

/** Checks the uid that a request expects. @param found that of the stored object; empty if there is none @throws StatusError 409 */
export function requireUid(resource: StoredResource, { name, uid }: UpdateRequest, found: string): void {
  if (!uid || uid === found) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
  throw StatusError.conflict(resource.groupResource, name, why);
}

/** Checks that a configuration does not expect an existing object. @throws StatusError 409 */
export function requireNoUid(
  { groupResource }: StoredResource,
  name: string,
  configuration: JsonValue,
): void {
  const uid = valueAt(configuration, ['metadata', 'uid']);
  if (typeof uid !== 'string' || uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw StatusError.conflict(groupResource, name, why);
}

/** Checks `resourceVersion` by the rules of semantics/metadata#updates. */
export function requireVersion(
  resource: StoredResource,
  name: string,
  { metadata }: ApiObject,
  current: ObjectRecord,
): void {
  const version = significantDigits(readableVersion(metadata));
  const { group, names, strategy } = resource.definition;
  if (version !== '') {
    if (version !== String(current.revision)) throw StatusError.modified(resource.groupResource, name);
  } else if (!strategy.allowsUnconditionalUpdate) {
    const error = FieldErrors.invalid(
      'metadata.resourceVersion',
      new PrintedValue('0x0'),
      'must be specified for an update',
    );
    throw StatusError.invalid(group, names.plural, name, [error]);
  }
}
