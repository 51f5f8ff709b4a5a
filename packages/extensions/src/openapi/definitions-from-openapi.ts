import {
  compareApiVersions,
  groupName,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../definitions/custom-resource-definition.ts';
import { fromCustomResourceDefinition } from '../definitions/from-custom-resource-definition.ts';
import { type DescribedKind, describedKinds, kindComponent, objectOf } from './openapi-kinds.ts';
import { structuralSchema } from './openapi-structural-schema.ts';

/** A part of a document that definitions cannot express. */
export interface LeftOut {
  readonly group: string;
  readonly version: string;
  /** `resource` or `resource/subresource`. */
  readonly resource: string;
  readonly reason: string;
}

/** Options of converting documents. */
export interface FromOpenApiDocumentsOptions {
  /** Names in the documents; default: those of Kubernetes. */
  readonly vocabulary?: Vocabulary;
  /** Called with each omitted part. */
  readonly report?: (leftOut: LeftOut) => void;
}

/**
 * Returns the resource types of an API from its OpenAPI v3 documents, so that a server without the code of
 * that API can replace it in tests. Objects are stored, pruned, defaulted and validated by the published
 * schemas, with status and scale subresources; other behaviour of the API is not in its documents. Documents
 * of several versions of a type are merged to one definition.
 *
 * @param documents parsed JSON of `/openapi/v3/…`, in any order; those without resources are skipped
 * @example
 * const { paths } = await get('/openapi/v3');
 * const documents = await Promise.all(Object.keys(paths).map((path) => get(`/openapi/v3/${path}`)));
 * const server = createApiServer({ resources: definitionsFromOpenApi(documents) });
 */
export function definitionsFromOpenApi(
  documents: Iterable<JsonValue>,
  options: FromOpenApiDocumentsOptions = {},
): readonly ResourceDefinition[] {
  const { vocabulary = kubernetesVocabulary } = options;
  const withoutVerbs = new Map<string, readonly string[]>();
  const found = customResourceDefinitions(documents, options, withoutVerbs);
  return found.map((definition) => {
    const missing = withoutVerbs.get(definition.metadata.name ?? '') ?? [];
    const converted = fromCustomResourceDefinition(definition, vocabulary);
    return missing.length > 0 ? { ...converted, withoutVerbs: missing } : converted;
  });
}

/**
 * Returns the same as custom resource definitions that can be stored in a server; kinds of the core group are
 * omitted, which no such definition may have.
 */
export function customResourceDefinitionsFromOpenApi(
  documents: Iterable<JsonValue>,
  options: FromOpenApiDocumentsOptions = {},
): readonly CustomResourceDefinition[] {
  return customResourceDefinitions(documents, options, new Map()).filter(({ spec }) => spec.group !== '');
}

function customResourceDefinitions(
  documents: Iterable<JsonValue>,
  { vocabulary = kubernetesVocabulary, report = () => {} }: FromOpenApiDocumentsOptions,
  withoutVerbs: Map<string, readonly string[]>,
): readonly CustomResourceDefinition[] {
  const types = new Map<string, DescribedVersion[]>();
  for (const document of documents) {
    for (const kind of describedKinds(objectOf(document), vocabulary)) {
      const name = `${kind.plural}.${kind.group}`;
      const version = describedVersion(objectOf(document), kind, vocabulary, report);
      if (version) types.set(name, [...(types.get(name) ?? []), version]);
    }
  }
  return [...types].map(([name, versions]) => {
    withoutVerbs.set(name, missingVerbs(versions));
    return toDefinition(name, versions, vocabulary);
  });
}

/** One version of a type, as a document describes it. */
interface DescribedVersion {
  readonly kind: DescribedKind;
  readonly declared: DefinitionVersion;
}

function describedVersion(
  document: JsonObject,
  kind: DescribedKind,
  vocabulary: Vocabulary,
  report: (leftOut: LeftOut) => void,
): DescribedVersion | undefined {
  const { group, version, plural, isBuiltIn } = kind;
  const leaveOut = (resource: string, reason: string): void => report({ group, version, resource, reason });
  if (!kind.actions.has('get')) {
    leaveOut(plural, 'its objects cannot be read, so they are not stored');
    return undefined;
  }
  const component = kindComponent(document, kind, vocabulary);
  if (!component) {
    leaveOut(plural, `the document has no schema of the kind ${kind.kind}`);
    return undefined;
  }
  const openAPIV3Schema = structuralSchema(component, { document, vocabulary, isBuiltIn });
  const subresources = subresourcesOf(kind, openAPIV3Schema, leaveOut);
  const selectable = selectableFields(component, vocabulary);
  const declared: DefinitionVersion = {
    name: version,
    served: true,
    storage: false,
    schema: { openAPIV3Schema },
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(selectable.length > 0 && { selectableFields: selectable }),
  };
  return { kind, declared };
}

function subresourcesOf(
  { plural, subresources }: DescribedKind,
  schema: JsonObject,
  leaveOut: (resource: string, reason: string) => void,
): NonNullable<DefinitionVersion['subresources']> {
  const { replicas } = objectOf(objectOf(objectOf(schema.properties).spec).properties);
  const hasScale = subresources.has('scale') && replicas !== undefined;
  for (const name of subresources) {
    if (name === 'status' || (name === 'scale' && hasScale)) continue;
    leaveOut(
      `${plural}/${name}`,
      'only status, and scale of what has spec.replicas, are subresources of a definition',
    );
  }
  return {
    ...(subresources.has('status') && { status: {} }),
    ...(hasScale && {
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    }),
  };
}

function selectableFields(component: JsonObject, { extensionPrefix }: Vocabulary): { jsonPath: string }[] {
  const fields = component[`${extensionPrefix}selectable-fields`];
  if (!Array.isArray(fields)) return [];
  const paths = fields.map((field) => objectOf(field).fieldPath);
  return paths.flatMap((path) => (typeof path === 'string' ? { jsonPath: `.${path}` } : []));
}

const VERB_OF_ACTION: Readonly<Record<string, string>> = {
  list: 'list',
  post: 'create',
  put: 'update',
  delete: 'delete',
  deletecollection: 'deletecollection',
};

/** Returns the verbs that no version supports. A kind that supports patch also supports update. */
function missingVerbs(versions: readonly DescribedVersion[]): readonly string[] {
  const missing = Object.entries(VERB_OF_ACTION)
    .filter(([action]) =>
      versions.every(
        ({ kind: { actions } }) => !actions.has(action) && !(action === 'put' && actions.has('patch')),
      ),
    )
    .map(([, verb]) => verb);
  return missing.includes('list') ? [...missing, 'watch'] : missing;
}

function toDefinition(
  name: string,
  described: readonly DescribedVersion[],
  vocabulary: Vocabulary,
): CustomResourceDefinition {
  const sorted = described.toSorted((a, b) => compareApiVersions(b.declared.name, a.declared.name));
  const [{ kind }] = sorted as [DescribedVersion, ...DescribedVersion[]];
  const names = {
    plural: kind.plural,
    singular: kind.kind.toLowerCase(),
    kind: kind.kind,
    listKind: kind.listKind,
  };
  return {
    apiVersion: `${groupName(vocabulary, 'apiextensions.')}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: kind.group,
      names,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      versions: sorted.map(({ declared }, index) => ({ ...declared, storage: index === 0 })),
    },
    status: { conditions: [], acceptedNames: names, storedVersions: [sorted[0]?.declared.name ?? ''] },
  };
}
