import type { Caller } from './caller.ts';

/** A version of a type that can be listed. */
export interface Collection {
  /** `/apis/apps/v1` */
  readonly root: string;
  readonly plural: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** False for what is not stored. */
  readonly creatable: boolean;
  /** Whether it is defined by a custom resource definition. */
  readonly custom: boolean;
}

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Path of its list in all namespaces. */
export const listPath = ({ root, plural }: Collection): string => `${root}/${plural}`;

/** Path of one of its objects, or of its list in a namespace. */
export function pathIn({ root, plural, namespaced }: Collection, namespace: string, name = ''): string {
  const place = namespaced ? `/namespaces/${namespace}` : '';
  return `${root}${place}/${plural}${name && `/${encodeURIComponent(name)}`}`;
}

/** Every version of every type that a server lists; groups that other servers would serve are left out. */
export async function collectionsOf(caller: Caller): Promise<Collection[]> {
  const { groups } = await caller.read<{ groups: { versions: { groupVersion: string }[] }[] }>('/apis');
  const roots = [
    '/api/v1',
    ...groups.flatMap(({ versions }) => versions.map((v) => `/apis/${v.groupVersion}`)),
  ];
  const defined = await definedTypes(caller);
  const found = await Promise.all(roots.map((root) => collectionsAt(caller, root, defined)));
  return found.flat();
}

async function definedTypes(caller: Caller): Promise<Set<string>> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { items } = await caller.read<{ items: { metadata: { name: string } }[] }>(path);
  return new Set(items.map(({ metadata }) => metadata.name));
}

async function collectionsAt(
  caller: Caller,
  root: string,
  defined: ReadonlySet<string>,
): Promise<Collection[]> {
  const { status, body } = await caller.ask(root);
  if (status !== 200) return [];
  const { groupVersion, resources } = JSON.parse(body.toString()) as {
    groupVersion: string;
    resources: Discovered[];
  };
  const [group] = groupVersion.split('/');
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))
    .map(({ name, kind, namespaced, verbs }) => ({
      ...{ root, plural: name, apiVersion: groupVersion, kind, namespaced },
      creatable: verbs.includes('create'),
      custom: defined.has(`${name}.${group}`),
    }));
}
