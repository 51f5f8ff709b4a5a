import { CodedError, type ManagedFieldsEntry } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldType } from '../typed/field-type.ts';

/**
 * Identity of an entry (semantics/apply#managers). The version distinguishes the updates of one manager, but
 * not its applies.
 */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The fields that a manager owns. */
export interface Manager extends ManagerIdentity {
  readonly fields: FieldSet;
}

/** Invalid managed fields; the message says why. */
export class ManagedFieldsError extends CodedError {
  static override readonly code: string = 'ERR_MANAGED_FIELDS';
  override readonly name: string = 'ManagedFieldsError';
}

/** Field types of a version. */
export type TypeOf = (apiVersion: string) => FieldType | undefined;

/** A manager during a request. */
export interface Tracked extends Manager {
  readonly identity: string;
  /** What it was decoded from, if its fields were settled. */
  readonly origin: Origin | undefined;
}

interface Origin {
  /** Undefined if encoding would produce another. */
  readonly entry: ManagedFieldsEntry | undefined;
  readonly fields: FieldSet;
  /** The type that the fields belong to. */
  readonly type: FieldType;
}

export function toTracked(manager: Manager & Partial<Tracked>): Tracked {
  return trackedWith(manager, manager.fields, manager.origin);
}

/**
 * The manager with an identity, and with these fields. Each member has its name here: the engine gives an object that is spread and then gets further
 * members a hidden class of its own.
 */
export function trackedWith(
  known: ManagerIdentity & Partial<Tracked>,
  fields: FieldSet,
  origin?: Origin,
): Tracked {
  const { manager, operation, apiVersion, subresource } = known;
  const identity = identityOf(known);
  return { manager, operation, apiVersion, subresource, fields, identity, origin };
}

/** With its text, for what asks for it again and again. */
export function withIdentityText(identity: ManagerIdentity): ManagerIdentity {
  return { ...identity, identity: identityText(identity) } as ManagerIdentity;
}

/** A text that is equal for what belongs into one entry. */
export function identityOf(identity: ManagerIdentity & Partial<Tracked>): string {
  return identity.identity ?? identityText(identity);
}

/** The JSON of the identity: entries of equal age are sorted by it. */
export function identityText({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = manager === '' ? '' : `"manager":${JSON.stringify(manager)},`;
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}
