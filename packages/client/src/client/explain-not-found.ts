import { apiVersionOf, nearestName, StatusError, vocabularies } from '@ashlar/core';
import type { Requests } from '../connection/connection.ts';
import type { ResourceReference } from './resource-options.ts';
import { groupVersionPath } from './resource-path.ts';

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
  }[];
}
interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly shortNames?: readonly string[];
  }[];
}

/** What was asked for: a resource, in a namespace or, if empty, in none. */
export interface RequestedPath {
  readonly connection: Requests;
  readonly reference: ResourceReference;
  readonly namespace: string;
  readonly subresource: string | undefined;
}

/** Texts of the responses for paths that are not served, as opposed to objects that do not exist. */
const PATH_MESSAGES = new Set([
  '404 page not found',
  'the server could not find the requested resource',
  'the server does not allow this method on the requested resource',
]);

/** Whether a server may not serve the path of a request. For a subresource that does not exist it says that the object does not. */
export function isPathNotFound(error: unknown, { subresource }: RequestedPath): error is StatusError {
  if (!StatusError.is(error) || (error.code !== 404 && error.code !== 405)) return false;
  return PATH_MESSAGES.has(error.message) || (error.code === 404 && subresource !== undefined);
}

/**
 * Returns an error that says why a path does not exist, from what the server says of its groups and resources: a missing namespace, a
 * kind in place of a resource, a group of the other vocabulary. The reason and code stay; without an explanation it is the same error.
 */
export async function explainNotFound(error: StatusError, requested: RequestedPath): Promise<StatusError> {
  const why = await explanation(requested).catch(() => undefined);
  return why === undefined ? error : withReason(error, why);
}

/** An object without a kind, sent for a reference without one. */
export function explainMissingKind(error: unknown, { reference }: RequestedPath): unknown {
  if (!StatusError.is(error) || reference.kind !== undefined) return error;
  if (!error.message.includes("Object 'Kind' is missing in ")) return error;
  return withReason(
    error,
    `the reference of ${reference.resource} names no kind, give one with client.resource({ …, kind }) or send objects with apiVersion and kind`,
  );
}

function withReason(error: StatusError, why: string): StatusError {
  const { code, reason, details } = error;
  return new StatusError(
    { code, reason, message: `${error.message}: ${why}`, ...(details && { details }) },
    error,
  );
}

async function explanation(requested: RequestedPath): Promise<string | undefined> {
  const { connection, reference } = requested;
  const path = groupVersionPath(reference);
  try {
    const { resources } = (await connection.value({ method: 'GET', path })) as ResourceList;
    return explainResource(requested, resources);
  } catch (error) {
    return StatusError.is(error) && error.code === 404 ? explainGroup(requested) : undefined;
  }
}

function explainResource(
  { reference, namespace, subresource }: RequestedPath,
  resources: ResourceList['resources'],
): string | undefined {
  const { resource } = reference;
  const place = apiVersionOf(reference);
  const served = resources.find(({ name }) => name === resource);
  if (served) {
    if (served.namespaced && namespace === '')
      return `${resource} of ${place} are in namespaces, name one with .namespace(…)`;
    if (!served.namespaced && namespace !== '')
      return `${resource} of ${place} are in no namespace, leave out .namespace(${JSON.stringify(namespace)})`;
    const isServed = resources.some(({ name }) => name === `${resource}/${subresource}`);
    return subresource === undefined || isServed
      ? undefined
      : `${resource} of ${place} have no subresource "${subresource}"`;
  }
  const similar = resources.find(
    ({ name, kind, singularName, shortNames = [] }) =>
      !name.includes('/') && [kind, singularName, ...shortNames].includes(resource),
  );
  const near =
    similar?.name ??
    nearestName(
      resource,
      resources.map(({ name }) => name),
    );
  const help = near === undefined ? '' : `, did you mean "${near}"?`;
  return `${place} has no resource "${resource}"${help}`;
}

async function explainGroup({ connection, reference }: RequestedPath): Promise<string | undefined> {
  const { group, version } = reference;
  if (group === '') return `the core group has the version v1, not "${version}"`;
  const { groups } = (await connection.value({ method: 'GET', path: '/apis' })) as GroupList;
  const served = groups.find(({ name }) => name === group);
  if (served) {
    const versions = served.versions.map((each) => each.version).join(', ');
    return `group ${group} is served in ${versions}, not in "${version}"`;
  }
  const names = groups.map(({ name }) => name);
  const translated = inOtherVocabulary(group, names);
  if (translated) return translated;
  const near = nearestName(group, names);
  return `the server has no group "${group}"${near === undefined ? '' : `, did you mean "${near}"?`}`;
}

/** A group that the server has under the name of its own vocabulary. */
function inOtherVocabulary(group: string, names: readonly string[]): string | undefined {
  const supported = Object.values(vocabularies);
  const other = supported.find(({ groupDomain }) => group.endsWith(`.${groupDomain}`));
  if (!other) return undefined;
  const first = group.slice(0, -other.groupDomain.length);
  const own = supported.find(({ groupDomain }) => names.includes(first + groupDomain));
  if (!own || own === other) return undefined;
  return `group ${group} is one of the vocabulary "${other.name}", and the server has the vocabulary "${own.name}": ask for "${first}", which is the group in either`;
}
