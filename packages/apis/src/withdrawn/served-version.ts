import { type ApiObject, type FieldError, groupResourceText } from '@ashlar/core';
import {
  type ColumnDefinition,
  type ResourceDefinition,
  type ResourceVersion,
  type SelectableFields,
  type Strategy,
  type SubresourceDefinition,
  storageVersion,
} from '@ashlar/registry';
import type { WithdrawnVersion } from './withdrawn-version.ts';

/** How a version is served besides the stored one. */
export interface ServedAs {
  readonly served: boolean;
  /** Text of the warning of every request. */
  readonly warning?: string;
  /** The release that no longer serves it. */
  readonly removedRelease?: string;
}

/** Returns a withdrawn version as one that a server can serve beside the stored version of its kind. */
export function servedVersion(
  withdrawn: WithdrawnVersion,
  { served, warning, removedRelease }: ServedAs,
): ResourceVersion {
  const { current, schema, toCurrent, fromCurrent, complete } = withdrawn;
  const { columns, selectableFields, subresources, views, toStorage, fromStorage } = storageVersion(current);
  return {
    name: withdrawn.version,
    served,
    storage: false,
    schema,
    complete,
    // some kinds are stored in the form of another kind: events
    toStorage: toStorage ? (object) => toStorage(toCurrent(object)) : toCurrent,
    fromStorage: fromStorage ? (object) => fromCurrent(fromStorage(object)) : fromCurrent,
    ...(warning !== undefined && { warning }),
    ...(removedRelease !== undefined && { removedRelease }),
    ...(columns && { columns: columns.map((column) => columnOf(column, toCurrent)) }),
    ...(selectableFields && { selectableFields: selectableOf(selectableFields, toCurrent) }),
    ...(subresources && { subresources: subresources.map((each) => subresourceOf(each, withdrawn)) }),
    ...(views && { views }),
  };
}

/** Returns a kind with versions besides its own, whose objects its rules see in the stored version. */
export function withVersions(
  definition: ResourceDefinition,
  withdrawn: readonly WithdrawnVersion[],
  versions: readonly ResourceVersion[],
): ResourceDefinition {
  if (withdrawn.length === 0) return { ...definition, versions };
  const { rowConditions, rowOrder, storage } = definition;
  const formOf = ({ apiVersion }: ApiObject): WithdrawnVersion | undefined =>
    withdrawn.find(({ group, version }) => apiVersion === `${group}/${version}`);
  const current = (object: ApiObject): ApiObject => formOf(object)?.toCurrent(object) ?? object;
  return {
    ...definition,
    versions,
    strategy: strategyOf(definition.strategy, formOf),
    ...(rowConditions && { rowConditions: (object) => rowConditions(current(object)) }),
    ...(rowOrder && { rowOrder: (a, b) => rowOrder(current(a), current(b)) }),
    ...(storage?.create && { storage: { ...storage, create: answering(storage.create, formOf) } }),
  };
}

/** Returns the kind of a withdrawn version that was in another group: it shares the stored objects. */
export function kindInOtherGroup(withdrawn: WithdrawnVersion, as: ServedAs): ResourceDefinition {
  const { current, group } = withdrawn;
  const stored = storageVersion(current);
  return {
    ...withVersions(current, [withdrawn], [{ ...servedVersion(withdrawn, as), storage: true }]),
    group,
    storedAs: current.storedAs ?? groupResourceText({ group: current.group, resource: current.names.plural }),
    hashedAs: { group: current.group, version: stored.name },
  };
}

type Convert = (object: ApiObject) => ApiObject;
type FormOf = (object: ApiObject) => WithdrawnVersion | undefined;

const columnOf = (column: ColumnDefinition, toCurrent: Convert): ColumnDefinition => ({
  ...column,
  cell: (object, now) => column.cell(toCurrent(object), now),
});

const selectableOf = (fields: SelectableFields, toCurrent: Convert): SelectableFields => ({
  ...fields,
  valueOf: (object, field) => fields.valueOf(toCurrent(object), field),
});

function subresourceOf(
  subresource: SubresourceDefinition,
  { toCurrent, fromCurrent }: WithdrawnVersion,
): SubresourceDefinition {
  const { prepareForUpdate, validateUpdate, validateUpdateSteps } = subresource;
  return {
    ...subresource,
    prepareForUpdate: (submitted, stored, now) =>
      fromCurrent(prepareForUpdate(toCurrent(submitted), toCurrent(stored), now)),
    ...(validateUpdate && {
      validateUpdate: (object, stored) => validateUpdate(toCurrent(object), toCurrent(stored)),
    }),
    ...(validateUpdateSteps && {
      validateUpdateSteps: (object, stored) => validateUpdateSteps(toCurrent(object), toCurrent(stored)),
    }),
  };
}

/** Rules that see objects of withdrawn versions in the stored one; new objects are validated by their own version. */
function strategyOf(strategy: Strategy, formOf: FormOf): Strategy {
  const current: Convert = (object) => formOf(object)?.toCurrent(object) ?? object;
  const { prepareForCreate, prepareForUpdate, completeStored, validate, validateSteps } = strategy;
  const { validateUpdate, validateUpdateSteps, warnings, markDeleted, isHeld } = strategy;
  return {
    ...strategy,
    ...(prepareForCreate && {
      prepareForCreate: (object, user, version) => {
        const prepared = prepareForCreate(current(object), user, version);
        return formOf(object)?.fromCurrent(prepared) ?? prepared;
      },
    }),
    ...(prepareForUpdate && {
      prepareForUpdate: (object, stored, version) => {
        const prepared = prepareForUpdate(current(object), current(stored), version);
        return formOf(object)?.fromCurrent(prepared) ?? prepared;
      },
    }),
    ...(completeStored && {
      completeStored: (object, stored) => {
        const completed = completeStored(current(object), stored && current(stored));
        return formOf(object)?.fromCurrent(completed) ?? completed;
      },
    }),
    ...(validate && {
      validate: (object, stored) => formOf(object)?.createErrors(object) ?? validate(object, stored),
    }),
    ...(validateSteps && {
      *validateSteps(object, stored) {
        const form = formOf(object);
        return form ? form.createErrors(object) : yield* validateSteps(object, stored);
      },
    }),
    ...(validateUpdate && {
      validateUpdate: (object, stored): readonly FieldError[] =>
        validateUpdate(current(object), current(stored)),
    }),
    ...(validateUpdateSteps && {
      validateUpdateSteps: (object, stored) => validateUpdateSteps(current(object), current(stored)),
    }),
    ...(warnings && {
      warnings: (object, stored, vocabulary) =>
        warnings(current(object), stored && current(stored), vocabulary),
    }),
    ...(markDeleted && { markDeleted: (object) => inOwnForm(object, markDeleted, formOf) }),
    ...(isHeld && { isHeld: (object) => isHeld(current(object)) }),
  };
}

function inOwnForm(object: ApiObject, change: Convert, formOf: FormOf): ApiObject {
  const form = formOf(object);
  return form ? form.fromCurrent(change(form.toCurrent(object))) : change(object);
}

type Create = NonNullable<NonNullable<ResourceDefinition['storage']>['create']>;

/** Questions of withdrawn versions are answered in their version. */
function answering(create: Create, formOf: FormOf): Create {
  return async (context, question, ...rest) => {
    const form = formOf(question);
    if (!form) return create(context, question, ...rest);
    const { name: version } = storageVersion(form.current);
    const result = await create({ ...context, version }, form.toCurrent(question), ...rest);
    return 'apiVersion' in result ? form.fromCurrent(result) : result;
  };
}
