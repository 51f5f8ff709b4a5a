import type { ApiObject } from '@ashlar/core';
import { UsageError } from '../../usage-error.ts';
import { objectName, type ReadObject, readObjects } from './read-objects.ts';

/** Policies with what they are evaluated on besides the objects of manifests. */
export interface VettedPolicies {
  /** Policies that change objects, and their bindings. */
  readonly mutating: readonly ApiObject[];
  /** Policies that deny requests, and their bindings. */
  readonly validating: readonly ApiObject[];
  readonly namespaces: readonly ApiObject[];
  /** All other objects: those that policies use as parameters. */
  readonly params: readonly ApiObject[];
}

/** Files and folders of policies, and of what else they read. */
export interface PolicyPaths {
  /** Policies and bindings; namespaces and parameters may be among them. */
  readonly policies: string;
  /** A file with namespaces only. */
  readonly namespace?: string;
  /** A file or folder with parameters only. */
  readonly params?: string;
}

/**
 * Reads policies, bindings, namespaces and parameters from files, or from the manifests of folders.
 * @throws UsageError
 */
export function readPolicies({ policies: path, namespace, params }: PolicyPaths): VettedPolicies {
  const found = readObjects('policies', path);
  const policies = found.filter(isPolicy);
  if (policies.length === 0) throw new UsageError(`flag --policies: ${path} contains no policy`);
  const besides = found.filter((each) => !isPolicy(each));
  const namespaces = [
    ...besides.filter(isNamespace),
    ...(namespace === undefined ? [] : readNamespaces(namespace)),
  ];
  const parameters = [
    ...besides.filter((each) => !isNamespace(each)),
    ...(params === undefined ? [] : readParameters(params, policies, path)),
  ];
  requireUnique([...namespaces, ...parameters]);
  return {
    mutating: policies.filter(isMutating).map(({ object }) => object),
    validating: policies.filter((each) => !isMutating(each)).map(({ object }) => object),
    namespaces: namespaces.map(({ object }) => object),
    params: parameters.map(({ object }) => object),
  };
}

const isPolicy = ({ object: { kind } }: ReadObject): boolean =>
  /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind);

const isMutating = ({ object: { kind } }: ReadObject): boolean => kind.startsWith('Mutating');

const isNamespace = ({ object: { apiVersion, kind } }: ReadObject): boolean =>
  apiVersion === 'v1' && kind === 'Namespace';

function readNamespaces(path: string): readonly ReadObject[] {
  const found = readObjects('namespace', path);
  if (found.length === 0) throw new UsageError(`flag --namespace: ${path} contains no document`);
  const other = found.find((each) => !isNamespace(each));
  if (other)
    throw new UsageError(`flag --namespace: ${other.place} is ${objectName(other.object)} and no Namespace`);
  return found;
}

function readParameters(
  path: string,
  policies: readonly ReadObject[],
  policiesPath: string,
): readonly ReadObject[] {
  const found = readObjects('params', path);
  if (found.length === 0) throw new UsageError(`flag --params: ${path} contains no document`);
  const policy = found.find(isPolicy);
  if (policy)
    throw new UsageError(
      `flag --params: ${policy.place} is ${objectName(policy.object)}, which belongs to --policies`,
    );
  if (!policies.some(hasParameters))
    throw new UsageError(`flag --params: no policy of ${policiesPath} has parameters (spec.paramKind)`);
  return found;
}

const hasParameters = ({ object }: ReadObject): boolean =>
  Boolean((object as { readonly spec?: { readonly paramKind?: unknown } }).spec?.paramKind);

/** @throws UsageError for an object that occurs twice: which of them counts would be a guess */
function requireUnique(objects: readonly ReadObject[]): void {
  const places = new Map<string, string>();
  for (const { place, object } of objects) {
    const name = `${object.apiVersion} ${objectName(object)}`;
    const other = places.get(name);
    if (other !== undefined)
      throw new UsageError(`${objectName(object)} stands in both ${other} and ${place}`);
    places.set(name, place);
  }
}
