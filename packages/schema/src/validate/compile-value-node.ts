import type { FieldError, JsonObject, JsonValue, Schema, Steps } from '@ashlar/core';
import { fieldErrorText, MAXIMUM_FIELD_ERRORS } from '@ashlar/core';
import type { CompilePattern } from '../formats/pattern.ts';
import { type Compiled, CompiledSchema } from '../structural/compiled-schema.ts';
import { areDifferent } from '../structural/identity.ts';
import { mapProperties } from '../structural/schema-parts.ts';
import { compileLiteralTypeCheck, compileTypeCheck, type TypeCheck } from '../structural/type-check.ts';
import { type CombinationCheck, compileCombinations } from './combinations.ts';
import type { Correlation } from './correlation.ts';
import {
  compileEnumCheck,
  compileFormatCheck,
  compileNumberChecks,
  compileStringCheck,
  type ScalarCheck,
} from './scalar-checks.ts';
import { forbiddenError, requiredError, ruleError, tooManyError } from './value-errors.ts';
import { isLongText, type Pace, type ValueNode } from './value-node.ts';

/** Compiles the checks of a schema. */
export function compileValueNode(schema: Schema, compilePattern: CompilePattern): Compiled<ValueNode> {
  return compileNodes(schema, compilePattern, compileTypeCheck);
}

/** Like `compileValueNode`, for defaults: only types and formats that the schema states are checked. */
export function compileLiteralNode(schema: Schema, compilePattern: CompilePattern): ValueNode {
  return compileNodes(schema, compilePattern, compileLiteralTypeCheck).whole;
}

type TypeCheckOf = (part: Schema) => TypeCheck;

const compileNodes = (
  schema: Schema,
  compilePattern: CompilePattern,
  typeCheckOf: TypeCheckOf,
): Compiled<CompiledNode> =>
  new CompiledSchema(
    schema,
    (part, compile) => new CompiledNode(part, compilePattern, typeCheckOf(part), compile),
  );

class CompiledNode implements ValueNode {
  readonly #checkType: TypeCheck;
  readonly #combinations: CombinationCheck | undefined;
  readonly #checkString: ScalarCheck<string> | undefined;
  readonly #checkFormat: ScalarCheck<string> | undefined;
  readonly #checkNumber: readonly ScalarCheck<number | bigint>[];
  readonly #checkEnum: ScalarCheck<JsonValue> | undefined;
  readonly #properties: ReadonlyMap<string, CompiledNode>;
  readonly #additional: CompiledNode | boolean;
  readonly #items: CompiledNode | undefined;
  readonly #required: readonly string[];
  /** Whether no member has combinations, which may take pauses. */
  readonly #hasPlainMembers: boolean;
  readonly #schema: Schema;

  constructor(
    schema: Schema,
    compilePattern: CompilePattern,
    checkType: TypeCheck,
    compile: (part: Schema) => CompiledNode,
  ) {
    const { additionalProperties } = schema;
    this.#schema = schema;
    this.#checkType = checkType;
    this.#combinations = compileCombinations(schema, compile);
    this.#checkString = compileStringCheck(schema, compilePattern);
    this.#checkFormat = schema.format === undefined ? undefined : compileFormatCheck(schema.format);
    this.#checkNumber = compileNumberChecks(schema);
    this.#checkEnum = schema.enum?.length ? compileEnumCheck(schema.enum) : undefined;
    this.#properties = mapProperties(schema, compile);
    this.#additional =
      typeof additionalProperties === 'object'
        ? compile(additionalProperties)
        : additionalProperties !== false;
    const members = [...this.#properties.values(), this.#additional];
    this.#hasPlainMembers = members.every((member) => typeof member === 'boolean' || !member.#combinations);
    this.#items = schema.items && compile(schema.items);
    this.#required = [...new Set(schema.required)];
  }

  *check(
    value: JsonValue,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation?: Correlation,
  ): Steps<number> {
    const atOnce = this.checkAtOnce(value, path, errors, pace, () => correlation);
    if (atOnce !== undefined) {
      if (pace.isDue()) yield;
      return atOnce;
    }
    const before = errors.length;
    const count = yield* this.#checkAll(value, path, errors, pace, correlation);
    ratchet(errors, before, correlation);
    pace.count(value);
    if (pace.isDue()) yield;
    return count;
  }

  /**
   * The same of a value that takes no pause: most of those in long lists are scalars, or objects of some, and generators for each cost more
   * than its check. Undefined for others.
   * @param correlation asked for only if there are errors
   */
  checkAtOnce(
    value: JsonValue,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation: () => Correlation | undefined,
  ): number | undefined {
    if (value !== null && (this.#combinations || !this.#isQuick(value))) return undefined;
    pace.count(value);
    if (value !== null && typeof value === 'object')
      return this.#checkQuick(value as JsonObject, path, errors, pace, correlation);
    const before = errors.length;
    const count = value === null ? this.#checkNull(path, errors) : this.#checkScalar(value, path, errors);
    if (errors.length > before) ratchet(errors, before, correlation());
    return count;
  }

  /** Whether the check of a value takes no pause. */
  #isQuick(value: JsonValue): boolean {
    return typeof value !== 'object' || (this.#hasPlainMembers && isFewScalars(value as JsonObject));
  }

  /** As `#checkAll` does with members. */
  #checkQuick(
    value: JsonObject,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlate: () => Correlation | undefined,
  ): number {
    const before = errors.length;
    let correlation: Correlation | undefined;
    const known = (): Correlation | undefined => {
      correlation ??= correlate();
      return correlation;
    };
    let count = ALWAYS + 1 + this.#countType(value, path, errors);
    collect(errors, this.#checkEnum?.(value, path));
    this.#checkSize(value, path, errors);
    for (const key in value) count += this.#checkMember(value, key, path, errors, pace, known) as number;
    this.#checkRequired(value, path, errors);
    if (errors.length > before) ratchet(errors, before, known());
    return count;
  }

  #checkNull(path: string, errors: FieldError[]): number {
    const count = this.#checkType.check(null, path, errors);
    collect(errors, this.#checkEnum?.(null, path));
    return count;
  }

  *#checkAll(
    value: JsonValue,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation: Correlation | undefined,
  ): Steps<number> {
    const before = errors.length;
    let count = ALWAYS + this.#countType(value, path, errors);
    if (this.#combinations) count += yield* this.#combinations(value, path, errors, pace);
    if (Array.isArray(value)) count += 1 + (yield* this.#checkItems(value, path, errors, pace, correlation));
    else if (typeof value !== 'object') count += this.#checkContent(value, path, errors);
    collect(errors, this.#checkEnum?.(value, path));
    if (typeof value === 'object' && !Array.isArray(value))
      count += 1 + (yield* this.#checkMembers(value as JsonObject, path, errors, pace, correlation));
    if (this.#combinations && errors.length > before + 1) keepFirstOfEqual(errors, before);
    return count;
  }

  #checkScalar(value: Scalar, path: string, errors: FieldError[]): number {
    const count = this.#countType(value, path, errors) + this.#checkContent(value, path, errors);
    collect(errors, this.#checkEnum?.(value, path));
    return ALWAYS + count;
  }

  #countType(value: JsonValue, path: string, errors: FieldError[]): number {
    return this.#checkType.applies ? 1 + this.#checkType.check(value, path, errors) : 0;
  }

  #checkContent(value: Scalar, path: string, errors: FieldError[]): number {
    if (typeof value === 'string') return this.#checkText(value, path, errors);
    if (typeof value === 'boolean') return 0;
    for (const check of this.#checkNumber) collect(errors, check(value, path));
    return 2;
  }

  #checkText(value: string, path: string, errors: FieldError[]): number {
    collect(errors, this.#checkString?.(value, path));
    collect(errors, this.#checkFormat?.(value, path));
    return this.#checkFormat ? 2 : 1;
  }

  *#checkItems(
    value: readonly JsonValue[],
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation: Correlation | undefined,
  ): Steps<number> {
    const { minItems, maxItems, uniqueItems } = this.#schema;
    let count = 1;
    if (this.#items) {
      for (let i = 0; i < value.length && errors.length < MAXIMUM_FIELD_ERRORS; i++) {
        const item = value[i] as JsonValue;
        const inside = `${path}[${i}]`;
        const part = (): Correlation | undefined => correlation?.item(i);
        const atOnce = this.#items.checkAtOnce(item, inside, errors, pace, part);
        count += atOnce ?? (yield* this.#items.check(item, inside, errors, pace, part()));
        if (pace.isDue()) yield;
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      errors.push(ruleError(path, value.length, `should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && value.length > maxItems)
      errors.push(tooManyError(path, value.length, maxItems));
    if (uniqueItems && !areDifferent(value)) {
      errors.push(ruleError(path, '', "shouldn't contain duplicates"));
    }
    return count;
  }

  *#checkMembers(
    value: JsonObject,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation: Correlation | undefined,
  ): Steps<number> {
    let count = 0;
    this.#checkSize(value, path, errors);
    for (const key in value) {
      const checked = this.#checkMember(value, key, path, errors, pace, () => correlation);
      count += typeof checked === 'number' ? checked : yield* checked;
      if (pace.isDue()) yield;
    }
    this.#checkRequired(value, path, errors);
    return count;
  }

  /** Steps if the member may take pauses. */
  #checkMember(
    value: JsonObject,
    key: string,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlate: () => Correlation | undefined,
  ): number | Steps<number> {
    const member = value[key];
    if (member === undefined || errors.length >= MAXIMUM_FIELD_ERRORS) return 0;
    const property = this.#properties.get(key);
    const node = property ?? this.#additional;
    if (typeof node !== 'object') {
      if (!node) errors.push(forbiddenError(path, key));
      return 0;
    }
    const inside = property && path === '' ? key : `${path}.${key}`;
    const part = (): Correlation | undefined => childOf(correlate(), path, key);
    return (
      node.checkAtOnce(member, inside, errors, pace, part) ?? node.check(member, inside, errors, pace, part())
    );
  }

  #checkRequired(value: JsonObject, path: string, errors: FieldError[]): void {
    for (const name of this.#required) {
      if (errors.length >= MAXIMUM_FIELD_ERRORS) break;
      if (!Object.hasOwn(value, name) || value[name] === undefined)
        errors.push(requiredError(`${path}.${name}`));
    }
  }

  #checkSize(value: JsonObject, path: string, errors: FieldError[]): void {
    const { minProperties, maxProperties } = this.#schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    let size = 0;
    for (const key in value) if (value[key] !== undefined) size++;
    if (minProperties !== undefined && size < minProperties) {
      errors.push(ruleError(path, size, `should have at least ${minProperties} properties`));
    }
    if (maxProperties !== undefined && size > maxProperties)
      errors.push(tooManyError(path, size, maxProperties));
  }
}

/** Members of an object that is checked without a pause, which are scalars. */
const FEW_MEMBERS = 8;

function isFewScalars(value: JsonObject): boolean {
  if (Array.isArray(value)) return false;
  let left = FEW_MEMBERS;
  for (const key in value) {
    const member = value[key];
    if (--left < 0 || (typeof member === 'object' && member !== null) || isLongText(member)) return false;
  }
  return true;
}

type Scalar = string | number | bigint | boolean;

/** What each value counts: for its node, and for combinations and enumeration, which always apply. */
const ALWAYS = 4;

/** Removes the errors of a value that is as it was. */
function ratchet(errors: FieldError[], before: number, correlation: Correlation | undefined): void {
  if (correlation && errors.length > before && correlation.equal()) errors.length = before;
}

/** Removes errors that repeat one from a position on: parts of combinations may require the same. */
function keepFirstOfEqual(errors: FieldError[], start: number): void {
  const seen = new Set<string>();
  const repeats = (error: FieldError): boolean => {
    const text = fieldErrorText(error);
    return seen.size === seen.add(text).size;
  };
  const kept = errors.splice(start).filter((error) => !repeats(error));
  errors.push(...kept);
}

const collect = (errors: FieldError[], error: FieldError | undefined): void => {
  if (error) errors.push(error);
};

/** The kind of an object does not ratchet. */
const childOf = (correlation: Correlation | undefined, path: string, key: string): Correlation | undefined =>
  path === '' && (key === 'apiVersion' || key === 'kind') ? undefined : correlation?.field(key);
