import type { Vocabulary } from '@ashlar/core';
import type { ServedGroupVersion } from './api-catalog.ts';
import { byPlural } from './discovery.ts';
import { OpenApiComponents } from './openapi-components.ts';
import { type OperationTarget, operation, queryParameter } from './openapi-operations.ts';
import type { ServedResource } from './served-resource.ts';
import { servedSubresource } from './served-subresource.ts';

/** The OpenAPI v3 document of one group version (semantics L3). */
export function openApiDocument(served: ServedGroupVersion, vocabulary: Vocabulary, version: string): object {
  const components = new OpenApiComponents(vocabulary);
  const root = served.group === '' ? `/api/${served.version}` : `/apis/${served.group}/${served.version}`;
  const paths: Record<string, object> = {};
  for (const resource of [...served.resources.values()].sort(byPlural)) {
    Object.assign(paths, resourcePaths(root, resource, components));
  }
  return {
    openapi: '3.0.0',
    info: { title: vocabulary.name, version },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function resourcePaths(
  root: string,
  served: ServedResource,
  components: OpenApiComponents,
): Record<string, object> {
  const { plural } = served.definition.names;
  const { namespaced } = served;
  const base = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const target = { served, components, namespaced };
  const paths: Record<string, object> = {
    [base]: collectionPath(target),
    [`${base}/{name}`]: itemPath(target, ofObject(served.verbs)),
  };
  if (namespaced && served.verbs.includes('list'))
    paths[`${root}/${plural}`] = everywherePath({ ...target, namespaced: false });
  for (const { name, verbs } of served.version.subresources ?? []) {
    paths[`${base}/{name}/${name}`] = itemPath({ ...target, subresource: name }, verbs);
  }
  for (const { name, verbs } of served.definition.views ?? [])
    paths[`${base}/{name}/${name}`] = itemPath(ofOtherKind(target, name), verbs);
  for (const { name } of served.definition.actions ?? [])
    paths[`${base}/{name}/${name}`] = itemPath(ofOtherKind(target, name), ['create']);
  return paths;
}

/** Objects are made in their collection, not at a path of their own. */
const ofObject = (verbs: readonly string[]): readonly string[] => verbs.filter((verb) => verb !== 'create');

function ofOtherKind(target: OperationTarget, subresource: string): OperationTarget {
  const { served: parent } = target;
  return { ...target, served: servedSubresource(parent, subresource) ?? parent, subresource, parent };
}

function collectionPath(target: OperationTarget): object {
  const { verbs } = target.served;
  return {
    ...(verbs.includes('list') && { get: operation(target, 'list') }),
    ...(verbs.includes('create') && { post: operation(target, 'post') }),
    ...(verbs.includes('deletecollection') && { delete: operation(target, 'deletecollection') }),
    parameters: pathParameters(target, false),
  };
}

function everywherePath(target: OperationTarget): object {
  return { get: operation(target, 'list'), parameters: pathParameters(target, false) };
}

function itemPath(target: OperationTarget, verbs: readonly string[]): object {
  return {
    ...(verbs.includes('get') && { get: operation(target, 'get') }),
    ...(verbs.includes('create') && { post: operation(target, 'post') }),
    ...(verbs.includes('update') && { put: operation(target, 'put') }),
    ...(verbs.includes('delete') && { delete: operation(target, 'delete') }),
    ...(verbs.includes('patch') && { patch: operation(target, 'patch') }),
    parameters: pathParameters(target, true),
  };
}

function pathParameters({ namespaced }: OperationTarget, named: boolean): object[] {
  const inPath = (name: string): object => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  });
  return [
    ...(named ? [inPath('name')] : []),
    ...(namespaced ? [inPath('namespace')] : []),
    queryParameter('pretty', 'string'),
  ];
}
