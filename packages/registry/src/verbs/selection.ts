import { type FieldRequirement, fieldSelectorOf, type LabelRequirement, labelSelectorOf } from '@ashlar/core';
import type { ObjectRecord, RecordCondition, RecordSelection } from '@ashlar/storage';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import type { RequestContext, Selection } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { isLargeRecord } from '../objects/large-object.ts';
import { requireSelectableFields } from '../objects/selectable-fields.ts';
import { fieldOfRecords } from './field-of-records.ts';
import { PRESENT, SelectionIndexes } from './selection-indexes.ts';

/** Returns whether a request selects an object. */
export type ObjectMatcher = (record: ObjectRecord) => boolean;

/** Which part of a list is read. */
export type Paging = 'none' | 'first page' | 'next page';

/** The compiled selectors of a request. */
export interface CompiledSelection {
  /** Key prefix of the selection: the collection, or a namespace or a single key in it. */
  readonly prefix: string;
  /** For lists, which use indexes; undefined if the whole prefix is selected. */
  readonly select: RecordSelection | undefined;
  /** Condition that selects events; undefined if the prefix is sufficient. */
  readonly concerning: RecordCondition | undefined;
  /** Matches events; undefined if the whole prefix is selected. */
  readonly matches: ObjectMatcher | undefined;
}

/**
 * Compiles the selectors of a request.
 * @param paging the prefix of a next page is the whole collection, whatever the first one was of
 * @throws StatusError 400 for unsupported fields (semantics/list-and-watch#field-selectors)
 */
export function compileSelection(
  resource: StoredResource,
  context: RequestContext,
  { labels, fields }: Selection,
  paging: Paging = 'none',
): CompiledSelection {
  const version = resource.version(context.version);
  requireSelectableFields(resource.definition, version, fields);
  const collection = resource.collection(context.namespace);
  if (labels.isEmpty && fields.isEmpty) {
    return { prefix: collection, select: undefined, concerning: undefined, matches: undefined };
  }
  const readField: ReadField = (record, field) =>
    ownField(resource, record.key, field) ?? otherField(resource, version, record, field);
  const prefix = paging === 'next page' ? collection : narrowed(resource, context, fields.requirements);
  const select = new SelectionTerms(resource, context, { labels, fields }).selection(readField);
  const concerning = prefix.endsWith('/') ? select.conditions[0] : undefined;
  return { prefix, select, concerning, matches: matcherOf({ labels, fields }, readField) };
}

/** Whether a request selects the one object that has its name, whose key is known. */
export function selectsOneKey(
  resource: StoredResource,
  context: RequestContext,
  { fields }: Selection,
): boolean {
  return !narrowed(resource, context, fields.requirements).endsWith('/');
}

/** Reads a field of an object; empty if it is absent. */
type ReadField = (record: ObjectRecord, field: string) => string;

/** Maximum number of conditions that use an index: the engine builds each that is not there yet, of the whole collection. */
const MAXIMUM_CONDITIONS = 4;

/** The requirements of a request, by whether an index can be used. */
class SelectionTerms {
  readonly #conditions: RecordCondition[] = [];
  readonly #rest: Selection;

  constructor(resource: StoredResource, context: RequestContext, { labels, fields }: Selection) {
    const otherLabels = this.#without(labels.requirements, (one) => labelCondition(resource, one));
    const otherFields = this.#without(fields.requirements, (one) => fieldCondition(resource, context, one));
    this.#rest = {
      labels: isAll(otherLabels, labels) ? labels : labelSelectorOf(otherLabels),
      fields: isAll(otherFields, fields) ? fields : fieldSelectorOf(otherFields),
    };
  }

  selection(readField: ReadField): RecordSelection {
    const matches = matcherOf(this.#rest, readField);
    return { conditions: this.#conditions, ...(matches && { matches }) };
  }

  /** Uses requirements as conditions, one of each index, and returns those that cannot be. */
  #without<T>(
    requirements: readonly T[],
    conditionOf: (one: T) => RecordCondition | undefined,
  ): readonly T[] {
    return requirements.filter((one) => {
      const isRoom = this.#conditions.length < MAXIMUM_CONDITIONS;
      const condition = isRoom ? conditionOf(one) : undefined;
      const isFirst = condition && !this.#conditions.some(({ index }) => index === condition.index);
      if (isFirst) this.#conditions.push(condition);
      return !isFirst;
    });
  }
}

/** Whether these are all requirements of a selector: it need not be compiled again. */
const isAll = (found: readonly unknown[], { requirements }: Selection['labels' | 'fields']): boolean =>
  found.length === requirements.length;

/** Returns the matcher of compiled selectors, which looks at each label once; undefined if they select everything. */
function matcherOf({ labels, fields }: Selection, readField: ReadField): ObjectMatcher | undefined {
  const byFields: ObjectMatcher = (record) => fields.matches((field) => readField(record, field));
  if (labels.isEmpty) return fields.isEmpty ? undefined : byFields;
  if (fields.isEmpty) return (record) => labels.matches(record.labels);
  return (record) => labels.matches(record.labels) && byFields(record);
}

function labelCondition(
  resource: StoredResource,
  { key, operator, values }: LabelRequirement,
): RecordCondition | undefined {
  const indexes = SelectionIndexes.of(resource.definition, resource.prefix);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return { index: indexes.label(key), anyOf: [...new Set(values)] };
    case 'exists':
      return { index: indexes.labelPresence(key), anyOf: [PRESENT] };
    default:
      return undefined;
  }
}

function fieldCondition(
  resource: StoredResource,
  context: RequestContext,
  { field, operator, value }: FieldRequirement,
): RecordCondition | undefined {
  if (operator !== '=') return undefined;
  const indexes = SelectionIndexes.of(resource.definition, resource.prefix);
  if (field === 'metadata.name') return { index: indexes.name(), anyOf: [value] };
  if (field === 'metadata.namespace')
    return resource.namespaced ? { index: indexes.namespace(), anyOf: [value] } : undefined;
  // fields of custom objects in another version are only known after conversion
  const { definition } = resource;
  if (definition.dialect === 'custom' && definition.versions.length > 1) return undefined;
  const index = indexes.field(definition, resource.version(context.version), field);
  return { index, anyOf: [value] };
}

/** Narrows the prefix of a collection to a selected namespace or key. */
function narrowed(
  resource: StoredResource,
  { namespace }: RequestContext,
  requirements: readonly FieldRequirement[],
): string {
  const pinned = (name: string): string | undefined => {
    const value = requirements.find(({ field, operator }) => field === name && operator === '=')?.value;
    return value && !value.includes('/') ? value : undefined;
  };
  const within = namespace || (resource.namespaced && pinned('metadata.namespace')) || '';
  const name = pinned('metadata.name');
  if (name === undefined || (resource.namespaced && within === '')) return resource.collection(within);
  return resource.key(within, name);
}

/** Returns name or namespace from the key, without decoding the object. */
function ownField(resource: StoredResource, key: string, field: string): string | undefined {
  if (field === 'metadata.name') return key.slice(key.lastIndexOf('/') + 1);
  if (field !== 'metadata.namespace') return undefined;
  return resource.namespaced ? key.slice(resource.prefix.length, key.lastIndexOf('/')) : '';
}

/** A large object that has not been read in this version is not read for its fields, either. */
function otherField(
  resource: StoredResource,
  version: ResourceVersion,
  record: ObjectRecord,
  field: string,
): string {
  if (isLargeRecord(record) && resource.isStoredIn(record, version.name))
    return fieldOfRecords(resource.definition, version, field)(record);
  return version.selectableFields?.valueOf(resource.present(record, version.name), field) ?? '';
}
