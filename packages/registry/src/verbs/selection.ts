import type { ApiObject, FieldRequirement, LabelRequirement, LabelSelector } from '@ashlar/core';
import { labelSelectorOf } from '@ashlar/core';
import type { ObjectRecord, RecordCondition, RecordSelection } from '@ashlar/storage';
import type { SelectableFields } from '../definition/resource-definition.ts';
import type { RequestContext, Selection } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { requireSelectableFields } from '../objects/selectable-fields.ts';
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
 * @param paging of a list in pages the prefix is the whole collection, for continue tokens and remaining counts; but the first page of one
 * named object needs no second one
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
  const selectableFields = version.selectableFields;
  const readField = (record: ObjectRecord, field: string): string => {
    const own = ownField(resource, record.key, field);
    return own ?? fieldValue(resource.present(record, context.version), field, selectableFields);
  };
  const selected = labels.requirements.length === 0 && !labels.isEmpty ? [NOTHING] : [];
  const terms: Term[] = [
    ...selected,
    ...labels.requirements.map((requirement) => labelTerm(resource, requirement)),
    ...fields.requirements.map((requirement) => fieldTerm(resource, context, requirement, readField)),
  ];
  const narrow = narrowed(resource, context, fields.requirements);
  const isNamed = !narrow.endsWith('/') && (context.namespace !== '' || !resource.namespaced);
  const isNarrow = paging === 'none' || (paging === 'first page' && isNamed);
  const prefix = isNarrow ? narrow : collection;
  const select = selectionOf(terms);
  const concerning = prefix.endsWith('/') ? select.conditions[0] : undefined;
  return { prefix, select, concerning, matches: allOf(terms.map(({ matches }) => matches)) };
}

/** One requirement with its matcher and its index. */
interface Term {
  readonly condition?: RecordCondition;
  readonly matches: ObjectMatcher;
}

const NOTHING: Term = { matches: () => false };

function labelTerm(resource: StoredResource, requirement: LabelRequirement): Term {
  // made when an object is looked at: of ten thousand terms most never are
  let selector: LabelSelector | undefined;
  const matches: ObjectMatcher = ({ labels }) => {
    selector ??= labelSelectorOf([requirement]);
    return selector.matches(labels);
  };
  const { key, operator, values } = requirement;
  const indexes = SelectionIndexes.of(resource.definition, resource.prefix);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return { matches, condition: { index: indexes.label(key), anyOf: [...new Set(values)] } };
    case 'exists':
      return { matches, condition: { index: indexes.labelPresence(key), anyOf: [PRESENT] } };
    default:
      return { matches };
  }
}

function fieldTerm(
  resource: StoredResource,
  context: RequestContext,
  { field, operator, value }: FieldRequirement,
  readField: (record: ObjectRecord, field: string) => string,
): Term {
  const isEqual = operator === '=';
  const matches: ObjectMatcher = (record) => (readField(record, field) === value) === isEqual;
  if (!isEqual) return { matches };
  const indexes = SelectionIndexes.of(resource.definition, resource.prefix);
  if (field === 'metadata.name') return { matches, condition: { index: indexes.name(), anyOf: [value] } };
  if (field === 'metadata.namespace') {
    return resource.namespaced
      ? { matches, condition: { index: indexes.namespace(), anyOf: [value] } }
      : { matches };
  }
  // fields of custom objects in another version are only known after conversion
  const { definition } = resource;
  if (definition.dialect === 'custom' && definition.versions.length > 1) return { matches };
  const index = indexes.field(definition, resource.version(context.version), field);
  return { matches, condition: { index, anyOf: [value] } };
}

function selectionOf(terms: readonly Term[]): RecordSelection {
  const rest = terms.filter(({ condition }) => !condition).map(({ matches }) => matches);
  const matches = allOf(rest);
  return {
    conditions: terms.flatMap(({ condition }) => (condition ? [condition] : [])),
    ...(matches && { matches }),
  };
}

function allOf(matchers: readonly ObjectMatcher[]): ObjectMatcher | undefined {
  if (matchers.length <= 1) return matchers[0];
  return (record) => matchers.every((matches) => matches(record));
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

function fieldValue(
  object: ApiObject,
  field: string,
  selectableFields: SelectableFields | undefined,
): string {
  return selectableFields?.valueOf(object, field) ?? '';
}
