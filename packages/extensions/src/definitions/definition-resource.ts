import { builtInType } from '@ashlar/apis';
import {
  type ApiObject,
  groupName,
  type JsonValue,
  jsonEqual,
  oncePerVocabulary,
  type Vocabulary,
  validateDnsSubdomain,
} from '@ashlar/core';
import {
  type ResourceDefinition,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
  withCanonicalMetadata,
  withNextGeneration,
} from '@ashlar/registry';
import {
  validateDefinitionStatus,
  validateDefinitionSteps,
  validateDefinitionUpdateSteps,
} from '../validation/validate-definition.ts';
import { withCondition } from './conditions.ts';
import {
  type CustomResourceDefinition,
  type DefinitionConversion,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionStatus,
  storageVersionOf,
} from './custom-resource-definition.ts';
import { definitionSchema } from './definition-schema.ts';

/** Group of definitions: `apiextensions.orch.io`. */
export const extensionsGroup = (vocabulary: Vocabulary): string => groupName(vocabulary, 'apiextensions.');

/** The finalizer that holds a definition until all objects of its type are deleted. */
export const cleanupFinalizer = (vocabulary: Vocabulary): string =>
  `customresourcecleanup.${extensionsGroup(vocabulary)}`;

/**
 * The resource type of definitions: objects that describe other served types
 * (semantics/lifecycle#definitions, #definition-conditions). Created once per vocabulary, so that all servers
 * share its compiled parts.
 */
export const customResourceDefinitions: (vocabulary: Vocabulary) => ResourceDefinition =
  oncePerVocabulary(make);

function make(vocabulary: Vocabulary): ResourceDefinition {
  const declared = builtInType({
    group: extensionsGroup(vocabulary),
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    scope: 'Cluster',
    version: {
      schema: definitionSchema(vocabulary),
      complete: (object) => withDefaults(object as CustomResourceDefinition),
      subresources: [statusSubresource],
    },
    strategy: {
      validateName: validateDnsSubdomain,
      updateChecks: ['metadata-change'],
      allowsUnconditionalUpdate: false,
      qualifiedFinalizers: false,
      ignoresPropagation: true,
      marksBeforeDeletion: true,
      prepareForCreate: (object) => prepareNew(object as CustomResourceDefinition),
      prepareForUpdate: (object, stored) =>
        prepareUpdate(object as CustomResourceDefinition, stored as CustomResourceDefinition),
      validateSteps: (object) => validateDefinitionSteps(object as CustomResourceDefinition, vocabulary),
      validateUpdateSteps: (object, stored) =>
        validateDefinitionUpdateSteps(
          object as CustomResourceDefinition,
          stored as CustomResourceDefinition,
          vocabulary,
        ),
      // the first deletion only marks
      isHeld: ({ metadata }) => metadata.deletionTimestamp === undefined,
      markDeleted: (object) => markDeleted(object as CustomResourceDefinition, cleanupFinalizer(vocabulary)),
    },
  });
  const names = { ...declared.names, categories: ['api-extensions'] };
  return { ...declared, names, hashedAs: { group: declared.group, version: 'v1beta1' } };
}

/** Accepts the status, and metadata too: the controller removes its finalizer through here. */
const statusSubresource: SubresourceDefinition = {
  name: 'status',
  verbs: SUBRESOURCE_VERBS,
  resetFields: [['metadata'], ['spec']],
  prepareForUpdate: (object, stored) =>
    ({ ...object, spec: (stored as CustomResourceDefinition).spec }) as ApiObject,
  validateUpdate: (object, stored) =>
    validateDefinitionStatus(object as CustomResourceDefinition, stored as CustomResourceDefinition),
};

function withDefaults(object: CustomResourceDefinition): CustomResourceDefinition {
  const spec = specDefaults(object.spec);
  const storage = storageVersionOf({ ...object, spec });
  const stored = object.status.storedVersions ?? [];
  const status: DefinitionStatus =
    stored.length > 0 || storage === undefined
      ? object.status
      : { ...object.status, storedVersions: [storage] };
  return { ...object, spec, status };
}

function specDefaults(spec: DefinitionSpec): DefinitionSpec {
  const { names } = spec;
  const singular = names.singular || names.kind.toLowerCase();
  const listKind = names.listKind || (names.kind && `${names.kind}List`);
  return {
    ...spec,
    names: inNamesOrder({ ...names, ...(singular && { singular }), ...(listKind && { listKind }) }),
    conversion: spec.conversion ? conversionDefaults(spec.conversion) : { strategy: 'None' },
  };
}

/** Returns the names of a type in the order in which they are printed. */
export function inNamesOrder<T extends object>(names: T): T {
  const { plural, singular, shortNames, kind, listKind, ...rest } = names as Partial<DefinitionNames>;
  const ordered = Object.entries({ plural, singular, shortNames, kind, listKind });
  return { ...Object.fromEntries(ordered.filter(([, value]) => value !== undefined)), ...rest } as T;
}

const HTTPS_PORT = 443;

function conversionDefaults({ webhook: own, ...others }: DefinitionConversion): DefinitionConversion {
  // a webhook of which nothing is said is none
  const webhook = own?.clientConfig || own?.conversionReviewVersions ? own : undefined;
  const conversion = webhook ? { ...others, webhook } : others;
  const service = webhook?.clientConfig?.service;
  if (!service || service.port !== undefined) return conversion;
  const clientConfig = { ...webhook.clientConfig, service: { ...service, port: HTTPS_PORT } };
  return { ...conversion, webhook: { ...webhook, clientConfig } };
}

function prepareNew(object: CustomResourceDefinition): ApiObject {
  const status: DefinitionStatus = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: null,
  };
  return withCanonicalMetadata(withStorageVersion({ ...object, status }), { generation: 1 });
}

function prepareUpdate(object: CustomResourceDefinition, stored: CustomResourceDefinition): ApiObject {
  const next = withStorageVersion({ ...object, status: stored.status });
  if (hasSameSpec(next, stored)) return next;
  return withNextGeneration(next, stored);
}

/** The storage version is always one of the stored versions. */
function withStorageVersion(object: CustomResourceDefinition): CustomResourceDefinition {
  const storage = storageVersionOf(object);
  const stored = object.status.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage)) return object;
  return { ...object, status: { ...object.status, storedVersions: [...stored, storage] } };
}

function markDeleted(marked: CustomResourceDefinition, finalizer: string): ApiObject {
  const { deletionTimestamp, finalizers = [] } = marked.metadata;
  const withApproval = withCondition(
    marked,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    deletionTimestamp ?? '',
  );
  if (finalizers.includes(finalizer)) return withApproval;
  return withCanonicalMetadata(withApproval, { finalizers: [...finalizers, finalizer] });
}

const hasSameSpec = (a: CustomResourceDefinition, b: CustomResourceDefinition): boolean =>
  jsonEqual(a.spec as unknown as JsonValue, b.spec as unknown as JsonValue);
