import { JSON_MEDIA_TYPE, mediaTypeNames, objectMediaTypes } from '@ashlar/codec';
import type { JsonObject, Steps, Vocabulary } from '@ashlar/core';
import type { ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { FixedDocument } from './fixed-documents.ts';
import { OpenApiComponents } from './openapi-components.ts';
import { type OpenApiDocument, openApiFrameSteps } from './openapi-frame.ts';
import { content } from './openapi-operations.ts';
import {
  apiGroupListSchema,
  apiGroupSchema,
  apiResourceListSchema,
  apiVersionsSchema,
  serverVersionSchema,
} from './openapi-shared-schemas.ts';
import { capital, groupWord } from './operation-words.ts';

/** A path that is read, and is not of a resource. */
interface PlainPath {
  /** Without a slash at its end, with which documents have it. */
  readonly path: string;
  readonly tag: string;
  readonly operationId: string;
  readonly description: string;
  readonly types: readonly string[];
  schema(components: OpenApiComponents): JsonObject;
}

/**
 * Describes the resource list that discovery returns at the root of a group version.
 * @param types media types of the list: those of the objects of the version
 */
export function versionOperation(
  { group, version }: Pick<ServedGroupVersion, 'group' | 'version'>,
  types: readonly string[],
  components: OpenApiComponents,
): JsonObject {
  const { vocabulary } = components;
  const word = groupWord(group, vocabulary);
  return plainItem(
    {
      path: '',
      tag: `${word}_${version}`,
      operationId: `get${capital(word)}${capital(version)}APIResources`,
      description: 'List the resource types of this group version',
      types,
      schema: (all) => all.discovered(apiResourceListSchema, 'APIResourceList'),
    },
    components,
  );
}

export interface PlainDocumentsOf {
  readonly vocabulary: Vocabulary;
  /** Major and minor version of the server. */
  readonly release: string;
  /** Of the groups that have documents: those of built-in types. */
  readonly groups: readonly string[];
  readonly documents?: readonly FixedDocument[] | undefined;
}

/** Returns what makes the documents of all paths that are not of a group version, by path (semantics/discovery#openapi). */
export function plainDocuments(of: PlainDocumentsOf): ReadonlyMap<string, () => Steps<OpenApiDocument>> {
  return new Map(plainPaths(of).map((plain) => [plain.path.slice(1), () => plainDocumentSteps(plain, of)]));
}

function plainDocumentSteps(
  plain: PlainPath,
  { vocabulary, release }: PlainDocumentsOf,
): Steps<OpenApiDocument> {
  const components = new OpenApiComponents(vocabulary);
  const paths = { [`${plain.path}/`]: plainItem(plain, components) };
  return openApiFrameSteps(paths, components.schemas, { vocabulary, release, dialect: 'built-in' });
}

function plainItem(
  { tag, operationId, description, types, schema }: PlainPath,
  components: OpenApiComponents,
): JsonObject {
  const responses = {
    200: { description: 'OK', content: content(schema(components), types) },
    401: { description: 'Unauthorized' },
  };
  return { get: { tags: [tag], description, operationId, responses } };
}

function plainPaths({ vocabulary, groups, documents = [] }: PlainDocumentsOf): readonly PlainPath[] {
  const types = discoveryTypes(vocabulary);
  const named = groups.filter((group) => group !== '');
  return [
    ...(groups.includes('') ? [coreVersions(types)] : []),
    ...(named.length > 0 ? [groupList(types)] : []),
    ...named.map((group) => oneGroup(group, vocabulary, types)),
    ...documents.map(fixedPath),
    serverVersion,
  ];
}

const discoveryTypes = (vocabulary: Vocabulary): readonly string[] =>
  mediaTypeNames(objectMediaTypes(vocabulary));

const coreVersions = (types: readonly string[]): PlainPath => ({
  path: '/api',
  tag: 'core',
  operationId: 'getCoreAPIVersions',
  description: 'List the versions of the core group',
  types,
  schema: (components) => components.discovered(apiVersionsSchema, 'APIVersions'),
});

const groupList = (types: readonly string[]): PlainPath => ({
  path: '/apis',
  tag: 'apis',
  operationId: 'getAPIVersions',
  description: 'List the groups and their versions',
  types,
  schema(components) {
    // the group of a list is a kind of its own, too
    components.discovered(apiGroupSchema, 'APIGroup');
    return components.discovered(apiGroupListSchema, 'APIGroupList');
  },
});

function oneGroup(group: string, vocabulary: Vocabulary, types: readonly string[]): PlainPath {
  const word = groupWord(group, vocabulary);
  return {
    path: `/apis/${group}`,
    tag: word,
    operationId: `get${capital(word)}APIGroup`,
    description: 'Read the versions of this group',
    types,
    schema: (components) => components.discovered(apiGroupSchema, 'APIGroup'),
  };
}

const serverVersion: PlainPath = {
  path: '/version',
  tag: 'version',
  operationId: 'getCodeVersion',
  description: 'Read the version of the server',
  types: [JSON_MEDIA_TYPE],
  schema: (components) => components.discovered(serverVersionSchema),
};

const fixedPath = ({ path, mediaType, operation }: FixedDocument): PlainPath => ({
  path,
  tag: operation.tag,
  operationId: operation.id,
  description: operation.description,
  types: [mediaType],
  schema: () => ({ type: 'string' }),
});
