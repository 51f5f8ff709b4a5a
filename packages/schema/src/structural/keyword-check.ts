import { type FieldError, FieldErrors, isJsonObject, type Steps, type Vocabulary } from '@ashlar/core';
import { SCHEMA_TYPES, type SchemaDocument } from '../convert/schema-document.ts';
import { TaskStack } from '../convert/task-stack.ts';
import { listTypeErrors } from './list-type-check.ts';
import { ruleErrors } from './rule-check.ts';
import { misfit } from './structural-invariants.ts';

const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Keywords that are forbidden by the position of a schema. */
interface Surroundings {
  readonly isRoot: boolean;
  /** Inside the metadata of the object or of an embedded resource. */
  readonly inMetadata: boolean;
  /** Why a default is forbidden. */
  readonly noDefault: string | undefined;
  readonly vocabulary: Vocabulary;
}

/** Returns the errors of a schema's keywords by part; errors of a part may concern parts within it. */
export interface KeywordFaults {
  readonly errors: readonly FieldError[];
  /** The paths of the parts, with duplicates. */
  readonly places: readonly string[];
}

interface Findings {
  readonly errors: FieldError[];
  readonly places: string[];
  /** Checks of parts that are still to be made. */
  readonly tasks: TaskStack;
}

/**
 * Unsupported keywords and invalid values of keywords, at every depth (semantics/schemas#structural-rules). In the order of the reference:
 * what is not supported before the parts of a schema, what does not fit together after them.
 */
export function* keywordFaultsSteps(
  schema: SchemaDocument,
  path: string,
  vocabulary: Vocabulary,
): Steps<KeywordFaults> {
  const found: Findings = { errors: [], places: [], tasks: new TaskStack() };
  check(schema, path, { isRoot: true, inMetadata: false, noDefault: undefined, vocabulary }, found);
  yield* found.tasks.runSteps();
  return found;
}

function check(schema: SchemaDocument, path: string, place: Surroundings, found: Findings): void {
  found.tasks.add(() => checkWithParts(schema, path, place, found));
}

function checkWithParts(schema: SchemaDocument, path: string, place: Surroundings, found: Findings): void {
  const { isPlain } = schema;
  if (!isPlain)
    report(found, path, [...unsupportedErrors(schema, path, place), ...exclusionErrors(schema, path)]);
  const inside = place.isRoot ? { ...place, isRoot: false } : place;
  if (!isPlain) checkAdditional(schema, path, inside, found);
  const isResource = place.isRoot || schema.flag(schema.extension('embedded-resource'));
  for (const [name, part] of schema.branches()) {
    const isMeta = isResource && META_FIELDS.has(name);
    check(part, `${path}.properties[${name}]`, isMeta ? metaPlace(name, place) : inside, found);
  }
  if (!isPlain) checkCombinations(schema, path, inside, found);
  const items = schema.schema('items');
  if (items) check(items, `${path}.items`, inside, found);
  if (isPlain) return;
  checkRareParts(schema, path, inside, found);
  found.tasks.add(() => report(found, path, fittingErrors(schema, path, place)));
}

function report(found: Findings, path: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) found.places.push(path);
  for (const error of errors) found.errors.push(error);
}

/** Returns the errors of keywords that do not fit together, and of rules. */
function fittingErrors(
  schema: SchemaDocument,
  path: string,
  { vocabulary }: Surroundings,
): readonly FieldError[] {
  return [
    ...typedKeywordErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...ruleErrors(schema, path, vocabulary),
  ];
}

function checkCombinations(
  schema: SchemaDocument,
  path: string,
  inside: Surroundings,
  found: Findings,
): void {
  const not = schema.schema('not');
  if (not) check(not, `${path}.not`, inside, found);
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) checkListed(schema, keyword, path, inside, found);
  checkNamed(schema, 'definitions', path, inside, found);
}

/** Parts that simple schemas do not have. */
function checkRareParts(schema: SchemaDocument, path: string, inside: Surroundings, found: Findings): void {
  checkListed(schema, 'items', path, inside, found);
  checkNamed(schema, 'dependencies', path, inside, found);
}

function checkListed(
  schema: SchemaDocument,
  keyword: string,
  path: string,
  inside: Surroundings,
  found: Findings,
): void {
  if (schema.json[keyword] !== undefined)
    found.tasks.addSteps(
      partsSteps(numbered(schema.eachListed(keyword)), `${path}.${keyword}`, inside, found),
    );
}

function* numbered<T>(items: Iterable<T>): Iterable<readonly [number, T]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}

function checkNamed(
  schema: SchemaDocument,
  keyword: string,
  path: string,
  inside: Surroundings,
  found: Findings,
): void {
  if (schema.json[keyword] !== undefined)
    found.tasks.addSteps(partsSteps(schema.eachNamed(keyword), `${path}.${keyword}`, inside, found));
}

/** Parts whose checks are added between two pauses: there may be as many as fit into a body. */
const PARTS_PER_STEP = 256;

function* partsSteps(
  parts: Iterable<readonly [string | number, SchemaDocument]>,
  path: string,
  inside: Surroundings,
  found: Findings,
): Steps<void> {
  // to list the names of very many takes as long as a turn may
  yield;
  let count = 0;
  for (const [name, part] of parts) {
    check(part, `${path}[${name}]`, inside, found);
    if (++count % PARTS_PER_STEP === 0) yield;
  }
}

function metaPlace(name: string, place: Surroundings): Surroundings {
  const noDefault = place.isRoot ? `in top-level ${name}` : place.noDefault;
  return { ...place, isRoot: false, inMetadata: true, noDefault };
}

function exclusionErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const isExcluded = schema.has('additionalProperties') && schema.json.additionalProperties !== true;
  if (!isExcluded || schema.named('properties').size === 0) return [];
  const text = 'additionalProperties and properties are mutual exclusive';
  return [FieldErrors.forbidden(`${path}.additionalProperties`, text)];
}

function checkAdditional(schema: SchemaDocument, path: string, place: Surroundings, found: Findings): void {
  const noDefault = place.inMetadata
    ? 'inside additionalProperties applying to object metadata'
    : place.noDefault;
  const part = schema.schema('additionalProperties');
  if (part) check(part, `${path}.additionalProperties`, { ...place, noDefault }, found);
}

function unsupportedErrors(schema: SchemaDocument, path: string, place: Surroundings): readonly FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (keyword: string, text = `${keyword} is not supported`): void =>
    void errors.push(FieldErrors.forbidden(`${path}.${keyword}`, text));
  const type = schema.text('type');
  if (type !== '' && !SCHEMA_TYPES.includes(type))
    errors.push(FieldErrors.notSupported(`${path}.type`, type, SCHEMA_TYPES));
  if (schema.default !== undefined && place.noDefault)
    forbid('default', `must not be set ${place.noDefault}`);
  if (schema.text('id') !== '') forbid('id');
  if (schema.has('additionalItems')) forbid('additionalItems');
  if (hasMembers(schema, 'patternProperties')) forbid('patternProperties');
  if (hasMembers(schema, 'definitions')) forbid('definitions');
  if (schema.has('dependencies')) forbid('dependencies');
  if (schema.has('$ref')) forbid('$ref');
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.json.items) && schema.json.items.length > 0) {
    forbid('items', 'items must be a schema object and not an array');
  }
  const embedded = schema.extension('embedded-resource');
  if (place.inMetadata && schema.flag(embedded)) forbid(embedded, 'must not be used inside of resource meta');
  if (schema.flag('uniqueItems')) {
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  return errors;
}

function hasMembers(schema: SchemaDocument, keyword: string): boolean {
  const value = schema.json[keyword];
  if (value !== undefined && isJsonObject(value)) for (const _ in value) return true;
  return false;
}

function typedKeywordErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const preserve = schema.extension('preserve-unknown-fields');
  if (schema.json[preserve] === false) {
    errors.push(FieldErrors.invalid(`${path}.${preserve}`, false, 'must be true or undefined'));
  }
  const mapType = schema.extension('map-type');
  if (!schema.has(mapType)) return errors;
  const type = schema.text('type');
  if (type !== 'object')
    errors.push(misfit(`${path}.type`, type, `must be object if ${mapType} is specified`));
  const kinds = ['atomic', 'granular'];
  if (!kinds.includes(schema.text(mapType))) {
    errors.push(FieldErrors.notSupported(`${path}.${mapType}`, schema.text(mapType), kinds));
  }
  return errors;
}
