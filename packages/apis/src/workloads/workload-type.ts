import { type ApiObject, type JsonValue, jsonEqual, type ObjectMeta, type Schema } from '@ashlar/core';
import {
  type ColumnDefinition,
  type FieldNames,
  type ResourceDefinition,
  type ResourceVersion,
  type SelectableFields,
  type Strategy,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
  withCanonicalMetadata,
  withNextGeneration,
} from '@ashlar/registry';
import { builtInStrategy } from '../types/built-in-type.ts';
import { formerVersions } from '../types/former-versions.ts';
import { withStatus } from '../types/with-status.ts';
import type { PodSpec } from './core/pod-types.ts';
import type { DefaultRules } from './defaults/default-rules.ts';
import { compileDefaults } from './defaults/schema-defaults.ts';
import { type InheritedFault, inheritingValidations } from './inherited/inherited-faults.ts';
import { inheritedPodFaults } from './inherited/inherited-pod-faults.ts';
import { withoutDisabledFields } from './pods/disabled-fields.ts';
import { validatedPodSpecs } from './pods/pod-spec-ahead.ts';
import { withoutEmptyLists } from './required-lists.ts';
import type { MetadataChanges } from './restored-metadata.ts';
import { withAmountsOf } from './semantic-equality.ts';
import { zeroOf } from './zero-value.ts';

/** Options of a kind's status subresource. */
interface StatusRules {
  /** Submitted metadata that are replaced by stored ones; by default all submitted ones count. */
  restoredMetadata?(stored: ObjectMeta): MetadataChanges;
  /** Changes an object with a submitted status, whose other parts except metadata are stored ones. @param now the time of the write */
  prepare?(object: ApiObject, stored: ApiObject, now: string): ApiObject;
  validate?: NonNullable<SubresourceDefinition['validateUpdate']>;
  /** Replaces `validate` if that may take long. */
  validateSteps?: NonNullable<SubresourceDefinition['validateUpdateSteps']>;
  /** What status writes are checked for besides; default: `change`. */
  readonly updateChecks?: SubresourceDefinition['updateChecks'];
  /** Fields that status writes do not own; default `spec`. */
  readonly resetFields?: FieldNames;
}

/** A stored kind: its schema, and its differences from the defaults of all kinds. */
export interface WorkloadType
  extends Pick<
    ResourceDefinition,
    | 'group'
    | 'scope'
    | 'views'
    | 'actions'
    | 'connections'
    | 'defaultPropagation'
    | 'rowConditions'
    | 'rowOrder'
    | 'createAllocator'
  > {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Name of the stored version; default `v1`. */
  readonly version?: string;
  readonly schema: Schema;
  /** Further versions, after the stored one, with their conversions. */
  readonly otherVersions?: readonly Omit<ResourceVersion, 'served' | 'storage'>[];
  readonly columns?: readonly ColumnDefinition[];
  /** Annotations of the stored version that are fields of the kind otherwise. */
  readonly fieldAnnotations?: readonly string[];
  readonly selectableFields?: SelectableFields;
  readonly rules?: DefaultRules;
  /** Whether the kind has a status subresource: new objects have none, updates keep it. */
  readonly status?: StatusRules;
  /** Whether new objects keep their submitted status: nodes. */
  readonly bringsStatus?: boolean;
  /** Where the spec of its pods is, whose fields of features that are off are dropped. */
  readonly podSpecAt?: readonly string[];
  /** What updates may keep of a stored object, though new objects may not have it. */
  readonly inherits?: readonly InheritedFault[];
  /** The part of an object that its generation counts; by default none. */
  counted?(object: ApiObject): unknown;
  /** Whether the generation also counts what preparation drops. */
  readonly countsDropped?: boolean;
  /** The generation of new objects; default 1, undefined for the one that is sent. */
  readonly firstGeneration?: number | undefined;
  readonly subresources?: readonly SubresourceDefinition[];
  /** Preparations and validations that run after the derived ones. */
  readonly strategy?: Partial<Strategy>;
}

/** The counted part of most kinds. */
export const specOf = (object: ApiObject): unknown => object.spec;

/** Creates a resource type from the declaration of a stored kind. */
export function workloadType(type: WorkloadType): ResourceDefinition {
  const { group, scope, kind, plural, shortNames, categories, schema, views, actions, connections } = type;
  const subresources = [
    ...(type.status ? [statusSubresource(type.status)] : []),
    ...(type.subresources ?? []),
  ];
  const shared = {
    served: true,
    ...(type.columns && { columns: type.columns }),
    ...(type.selectableFields && { selectableFields: type.selectableFields }),
    ...(subresources.length > 0 && { subresources }),
  };
  const versions: readonly ResourceVersion[] = [
    {
      name: type.version ?? 'v1',
      storage: true,
      schema,
      ...compileDefaults(schema, type.rules),
      ...(type.fieldAnnotations && { fieldAnnotations: type.fieldAnnotations }),
      ...shared,
    },
    ...(type.otherVersions ?? []).map((version) => ({ ...shared, ...version, storage: false })),
  ];
  return {
    group,
    scope,
    dialect: 'built-in',
    formerVersions: formerVersions(group, kind),
    names: {
      plural,
      singular: kind.toLowerCase(),
      kind,
      listKind: `${kind}List`,
      ...(shortNames && { shortNames }),
      ...(categories && { categories }),
    },
    versions,
    strategy: builtInStrategy({
      ...type.strategy,
      ...validations(type),
      ...preparations(type, versions),
    }),
    ...(views && { views }),
    ...(actions && { actions }),
    ...(connections && { connections }),
    ...(type.defaultPropagation && { defaultPropagation: type.defaultPropagation }),
    ...(type.rowConditions && { rowConditions: type.rowConditions }),
    ...(type.rowOrder && { rowOrder: type.rowOrder }),
    ...(type.createAllocator && { createAllocator: type.createAllocator }),
  };
}

function validations({ strategy = {}, podSpecAt, inherits }: WorkloadType): Partial<Strategy> {
  const rules = podSpecAt ? validatedPodSpecs(strategy, podSpecAt) : strategy;
  const faults = [...(inherits ?? []), ...(podSpecAt ? inheritedPodFaults(podSpecAt) : [])];
  return faults.length > 0 ? inheritingValidations(rules, faults) : {};
}

function preparations(
  type: WorkloadType,
  versions: readonly ResourceVersion[],
): Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate' | 'completeStored'>> {
  const { strategy = {}, counted, podSpecAt } = type;
  const firstGeneration = 'firstGeneration' in type ? type.firstGeneration : 1;
  const withoutFeatures = (object: ApiObject, stored?: ApiObject): ApiObject =>
    podSpecAt
      ? changedAt(object, podSpecAt, (spec) =>
          withoutDisabledFields(spec, stored && partAt(stored, podSpecAt)),
        )
      : object;
  return {
    prepareForCreate(object, user, version) {
      const { schema } = versionOf(object, versions);
      const withZeroStatus =
        type.status && !type.bringsStatus ? withStatus(object, zeroStatus(schema)) : object;
      const prepared = withoutFeatures(
        strategy.prepareForCreate?.(withZeroStatus, user, version) ?? withZeroStatus,
      );
      const isSet = counted && firstGeneration !== undefined;
      return isSet ? withCanonicalMetadata(prepared, { generation: firstGeneration }) : prepared;
    },
    completeStored(object, stored) {
      const { schema, complete } = versionOf(object, versions);
      const isComplete = stored && !strategy.isStoredIncomplete;
      return withoutEmptyLists(schema, isComplete ? object : (complete?.(object) ?? object));
    },
    prepareForUpdate(object, stored, version) {
      const updated = type.status ? withStatus(object, stored.status) : object;
      const withoutDisabled = withoutFeatures(updated, stored);
      const prepared = strategy.prepareForUpdate?.(withoutDisabled, stored, version) ?? withoutDisabled;
      const compared = type.countsDropped ? updated : prepared;
      if (!counted || isSame(counted, compared, stored, versionOf(stored, versions).schema)) return prepared;
      return withNextGeneration(prepared, stored);
    },
  };
}

/** The spec of pods at a path, if there is one. */
function partAt(object: object | undefined, path: readonly string[]): PodSpec | undefined {
  return path.reduce(
    (part: object | undefined, name) =>
      (part as Readonly<Record<string, object | undefined>> | undefined)?.[name],
    object,
  );
}

/** The object with another value at a path; itself if there is none or it stays the same. */
function changedAt<T extends object>(
  object: T,
  [name, ...rest]: readonly string[],
  change: (part: PodSpec) => PodSpec,
): T {
  if (name === undefined) return change(object as PodSpec) as T;
  const part = (object as Readonly<Record<string, object | undefined>>)[name];
  const changed = part && changedAt(part, rest, change);
  return changed === part ? object : { ...object, [name]: changed };
}

/** The version in which an object is written. */
function versionOf({ apiVersion }: ApiObject, versions: readonly ResourceVersion[]): ResourceVersion {
  const name = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  const version = versions.find((candidate) => candidate.name === name) ?? versions[0];
  if (!version) throw new TypeError('a type without versions');
  return version;
}

/** Whether what is counted of two objects is equal, whatever the form of their quantities. */
function isSame(
  counted: (object: ApiObject) => unknown,
  object: ApiObject,
  stored: ApiObject,
  schema: Schema,
): boolean {
  const before = counted(stored) as JsonValue;
  const equal = (one: ApiObject): boolean => jsonEqual(counted(one) as JsonValue, before);
  if (equal(object)) return true;
  const adapted = withAmountsOf(schema, stored, object);
  return adapted !== object && equal(adapted);
}

function zeroStatus({ properties = {} }: Schema): unknown {
  return properties.status && zeroOf(properties.status);
}

function statusSubresource({
  restoredMetadata,
  prepare,
  validate,
  validateSteps,
  resetFields,
  updateChecks,
}: StatusRules): SubresourceDefinition {
  return {
    name: 'status',
    verbs: SUBRESOURCE_VERBS,
    prepareForUpdate(submitted, stored, now) {
      const { metadata } = submitted;
      const object = withStatus({ ...stored, metadata }, submitted.status);
      const restored = restoredMetadata
        ? withCanonicalMetadata(object, restoredMetadata(stored.metadata))
        : object;
      return prepare?.(restored, stored, now) ?? restored;
    },
    ...(validate && { validateUpdate: validate }),
    ...(validateSteps && { validateUpdateSteps: validateSteps }),
    ...(resetFields && { resetFields }),
    ...(updateChecks && { updateChecks }),
  };
}
