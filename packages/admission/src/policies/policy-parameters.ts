import {
  type ApiObject,
  type LabelSelector,
  type MaybePromise,
  StatusError,
  toLabelSelector,
} from '@ashlar/core';
import type { ParamKind, ParamRef } from './policy-objects.ts';

/** Objects of one kind that policies use as parameters. */
export interface ParameterObjects {
  /** The plural. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  /** @param namespace empty for cluster-scoped kinds */
  get(namespace: string, name: string): MaybePromise<ApiObject | undefined>;
  list(namespace: string, labels: LabelSelector): MaybePromise<readonly ApiObject[]>;
}

/** Finds the objects of a kind; undefined if there is no such kind. */
export type FindParameters = (kind: ParamKind) => ParameterObjects | undefined;

/** A policy or a binding cannot be used as it is: the failure policy decides. */
class ConfigurationError extends Error {}

/**
 * Returns why a policy or a binding cannot be used, as refusals say it.
 * @throws what is no such reason
 */
export function configurationFailure(error: unknown, what: 'policy' | 'binding'): string {
  if (!(error instanceof ConfigurationError || StatusError.is(error))) throw error;
  return `failed to configure ${what}: ${error.message}`;
}

/** Returns the parameters of a policy; undefined if it has none. @throws ConfigurationError if there is no such kind */
export function parametersOfKind(
  kind: ParamKind | null | undefined,
  find: FindParameters,
): ParameterObjects | undefined {
  if (!kind) return undefined;
  const objects = find(kind);
  if (objects) return objects;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${paramKindText(kind)}'`);
}

/** Returns the text of a kind in errors: `g/v, Kind=K`. */
const paramKindText = ({ apiVersion = '', kind = '' }: ParamKind): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

/**
 * Returns the parameters that a binding refers to, for a request in a namespace; the policy is evaluated once with each
 * (semantics/admission#validatingadmissionpolicy).
 * @throws ConfigurationError
 */
export async function collectParameters(
  objects: ParameterObjects,
  { name = '', namespace: own = '', selector, parameterNotFoundAction }: ParamRef,
  requestNamespace: string,
): Promise<readonly ApiObject[]> {
  const namespace = parameterNamespace(objects, own, requestNamespace);
  let found: readonly ApiObject[] = [];
  if (name !== '') {
    const object = await objects.get(namespace, name);
    if (object) found = [object];
  } else if (selector) found = await objects.list(namespace, toLabelSelector(selector));
  else throw new ConfigurationError('one of name or selector must be provided');
  if (found.length === 0 && parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

function parameterNamespace({ isNamespaced }: ParameterObjects, own: string, request: string): string {
  if (!isNamespaced) {
    if (own === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (own !== '') return own;
  if (request !== '') return request;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
