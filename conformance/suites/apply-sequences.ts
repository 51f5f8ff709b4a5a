import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApiObject,
  compareUtf8,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  kubernetesVocabulary,
  type ManagedFieldsEntry,
  parseApiVersion,
  StatusError,
} from '@ashlar/core';
import {
  compileKindFieldType,
  DEDUCED,
  FieldManager,
  FieldSet,
  type FieldType,
  fieldPath,
} from '@ashlar/field-manager';
import { compileStructural, type StructuralSchema } from '@ashlar/schema';
import { builtInSchema } from '../built-in-schemas.ts';
import { kindSchema, recordedSchema } from '../structural-schema.ts';
import type { CaseResult, Suite } from '../suite.ts';
import { sameTypedErrors } from '../typed-errors.ts';

/** Server-side apply in sequences of writes to one object (oracles/apply*.jsonl, suites sequence, hand and client-side). */
export const suite: Suite = {
  name: 'oracles/apply',
  async *run(dataDirectory) {
    const cases = [...readCases(join(dataDirectory, 'oracles'))];
    const schemas = new Map<string, JsonObject>();
    for (const entry of cases)
      if (entry.suite === 'schema') schemas.set(entry.name as string, entry.schema as unknown as JsonObject);
    for (const entry of cases) if (SUITES.includes(entry.suite)) yield runCase(entry, schemas);
  },
};

const SUITES = ['sequence', 'hand', 'client-side'];

/** The schema of each version, and the other names of fields of `spec`; or a built-in kind. */
interface WorldData {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly spec?: Readonly<Record<string, string>>;
  readonly renames?: readonly Readonly<Record<string, string>>[];
}

interface Step {
  readonly op: 'apply' | 'update' | 'topology' | 'setManagedFields';
  readonly manager: string;
  readonly object: ApiObject;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly world: WorldData;
  readonly managedFields: readonly ManagedFieldsEntry[] | null;
  readonly result?: JsonObject;
  readonly error?: {
    readonly code?: number;
    readonly message: string;
    readonly conflicts?: readonly JsonValue[];
  };
}

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly name?: string;
  readonly schema?: JsonObject;
  readonly world: WorldData;
  readonly steps: readonly Step[];
}

function* readCases(folder: string): Iterable<Case> {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).sort()) {
    if (!/^apply.*\.jsonl$/.test(file)) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const entry = line === '' ? undefined : (JSON.parse(line) as Case);
      if (entry?.suite) yield entry;
    }
  }
}

function runCase({ id, suite, world, steps }: Case, schemas: ReadonlyMap<string, JsonObject>): CaseResult {
  const server = new Server(new World(world, schemas));
  for (const [index, step] of steps.entries()) {
    const actual = server.take(step, (data) => new World(data, schemas));
    const expected = step.error ? recordedError(step.error) : step.result;
    if (expected === undefined) continue;
    if (sameAnswer(expected as JsonObject, actual)) {
      // From here on the recorded object is used, if the object here has an empty map for null.
      if (step.result && !jsonEqual(step.result, actual)) server.store(step.result);
      continue;
    }
    return { id, suite, outcome: 'failed', input: { index, step, steps }, expected, actual };
  }
  return { id, suite, outcome: 'passed' };
}

/**
 * Equal except for maps that lost their last member: `{}` instead of the reference's null
 * (semantics/apply#apply-algorithm, step 6), and for the texts of typed errors.
 */
function sameAnswer(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  if (isEmptyMap(actual) && expected === null) return true;
  if (typeof expected === 'string' && typeof actual === 'string')
    return expected === actual || (expected.startsWith('failed') && sameTypedErrors(expected, actual));
  if (!isJsonObject(expected) || !isJsonObject(actual)) return sameList(expected, actual);
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].every((key) => sameAnswer(expected[key], actual[key]));
}

function sameList(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return jsonEqual(expected, actual);
  return (
    expected.length === actual.length && expected.every((item, index) => sameAnswer(item, actual[index]))
  );
}

const isEmptyMap = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length === 0;

function recordedError({ code, message, conflicts }: NonNullable<Step['error']>): JsonObject {
  return { message: message, ...(code && { code }), ...(conflicts && { conflicts }) };
}

/** The kind as currently served. */
class World {
  readonly #data: WorldData;
  readonly #types: Map<string, FieldType> = new Map();
  readonly #structural: Map<string, StructuralSchema> = new Map();

  constructor(data: WorldData, schemas: ReadonlyMap<string, JsonObject>) {
    this.#data = data;
    if (data.kind) {
      const apiVersion = data.apiVersion as string;
      this.#types.set(apiVersion, compileKindFieldType(builtInSchema(`${apiVersion} ${data.kind}`)));
    }
    for (const [version, name] of Object.entries(data.spec ?? {})) this.#addVersion(version, name, schemas);
  }

  #addVersion(version: string, name: string, schemas: ReadonlyMap<string, JsonObject>): void {
    const apiVersion = `example.com/${version}`;
    const document = schemas.get(name);
    if (!document) {
      this.#types.set(apiVersion, DEDUCED);
      return;
    }
    const spec = recordedSchema(this.#renamed(document, version));
    const status = recordedSchema(schemas.get('status') as JsonObject);
    this.#types.set(apiVersion, compileKindFieldType(kindSchema(spec, status)));
    this.#structural.set(apiVersion, compileStructural({ type: 'object', properties: { spec, status } }));
  }

  /** The schema of another version has other names for fields of `spec`. */
  #renamed(document: JsonObject, version: string): JsonObject {
    const properties = this.#rename(document.properties as JsonObject, 'v1', version);
    return { ...document, properties };
  }

  #rename(members: JsonObject, from: string, to: string): JsonObject {
    const names = new Map((this.#data.renames ?? []).map((each) => [each[from], each[to]]));
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]),
    );
  }

  readonly isCustom = (): boolean => this.#data.kind === undefined;

  typeOf(apiVersion: string): FieldType | undefined {
    return this.#types.get(apiVersion);
  }

  convert<T extends JsonObject>(object: T, apiVersion: string): T {
    if (object.apiVersion === apiVersion) return object;
    const { spec } = object;
    if (!isJsonObject(spec)) return { ...object, apiVersion };
    return {
      ...object,
      apiVersion,
      spec: this.#rename(spec, versionOf(object.apiVersion), versionOf(apiVersion)),
    };
  }

  prune(object: ApiObject): ApiObject {
    const structural = this.#structural.get(object.apiVersion);
    return structural
      ? asObject({
          ...asObject(
            object,
            structural.prune(body(object), () => {}),
          ),
        })
      : object;
  }

  applyDefaults(object: ApiObject): ApiObject {
    const structural = this.#structural.get(object.apiVersion);
    return structural ? asObject(object, structural.applyDefaults(body(object))) : object;
  }
}

const versionOf = (apiVersion: JsonValue | undefined): string => String(apiVersion).split('/')[1] ?? '';

const body = ({ apiVersion: _, kind: __, metadata: ___, ...rest }: ApiObject): JsonObject =>
  rest as JsonObject;

/** An object with another body. */
function asObject(
  { apiVersion, kind, metadata, ...rest }: ApiObject,
  other: JsonValue = rest as JsonObject,
): ApiObject {
  return { apiVersion, kind, metadata, ...(other as JsonObject) };
}

/** Defaulting after an apply drops no nulls, unlike that of a submitted body: they are rejected later. */
function withNulls(before: ApiObject, after: ApiObject): ApiObject {
  return restoreNulls(
    before as unknown as JsonObject,
    after as unknown as JsonObject,
  ) as unknown as ApiObject;
}

function restoreNulls(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (Array.isArray(before) && Array.isArray(after))
    return after.map((item, index) => restoreNulls(before[index], item));
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const entries = Object.entries(after).map(([key, value]) => [
    key,
    restoreNulls(before[key], value as JsonValue),
  ]);
  const nulls = Object.entries(before).filter(([key, value]) => value === null && !(key in after));
  return Object.fromEntries([...entries, ...nulls]);
}

/** One stored object and the writes to it. */
class Server {
  #world: World;
  /** In version v1. */
  #stored: ApiObject | undefined;
  #writes = 0;

  constructor(world: World) {
    this.#world = world;
  }

  take(step: Step, worldOf: (data: WorldData) => World): JsonObject | undefined {
    if (step.op === 'topology') this.#world = worldOf(step.world);
    else if (step.op === 'setManagedFields') this.#setManagedFields(step.managedFields);
    else return this.#write(step);
    return undefined;
  }

  store(object: JsonObject): void {
    const stored = this.#world.isCustom() ? this.#world.convert(object, 'example.com/v1') : object;
    this.#stored = stored as unknown as ApiObject;
  }

  #setManagedFields(entries: readonly ManagedFieldsEntry[] | null): void {
    if (!this.#stored) return;
    const { managedFields: _, ...metadata } = this.#stored.metadata;
    this.#stored = { ...this.#stored, metadata: { ...metadata, ...(entries && { managedFields: entries }) } };
  }

  #write(step: Step): JsonObject {
    this.#writes++;
    // Reads default the object, which drops the nulls of an apply.
    const live =
      this.#stored && this.#convert(this.#world.applyDefaults(this.#stored), this.#endpointVersion(step));
    try {
      const result = this.#merged(step, live);
      this.#stored = this.#world.isCustom() ? this.#convert(result, 'example.com/v1') : result;
      return result as unknown as JsonObject;
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      return this.#error(error);
    }
  }

  /** A configuration of another version or kind is sent to v1. */
  #endpointVersion({ object }: Step): string {
    return this.#world.typeOf(object.apiVersion) ? object.apiVersion : 'example.com/v1';
  }

  #merged(step: Step, live: ApiObject | undefined): ApiObject {
    const { object, manager, op, subresource = '', force = false } = step;
    const fields = this.#fieldManager(step);
    if (op === 'apply') {
      const merged = fields.apply(live, object as unknown as JsonObject, { manager, force });
      return this.#keepOtherHalf(live, withNulls(merged, this.#world.applyDefaults(merged)), subresource);
    }
    const next = this.#world.applyDefaults(this.#world.prune(object));
    return this.#keepOtherHalf(live, fields.update(live, next, { manager }), subresource);
  }

  /** The main endpoint does not write `status`, and `/status` nothing else. */
  #keepOtherHalf(live: ApiObject | undefined, next: ApiObject, subresource: string): ApiObject {
    if (!this.#world.isCustom()) return next;
    const { status, ...rest } = next;
    if (subresource !== 'status')
      return asObject({ ...rest, ...(live?.status !== undefined && { status: live.status }) });
    const { status: _, ...stored } = live as ApiObject;
    const { managedFields: __, ...metadata } = stored.metadata;
    const { managedFields } = next.metadata;
    return asObject({
      ...stored,
      metadata: { ...metadata, ...(managedFields && { managedFields }) },
      ...(status !== undefined && { status }),
    });
  }

  #fieldManager(step: Step): FieldManager {
    const world = this.#world;
    const apiVersion = this.#endpointVersion(step);
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
    const { subresource = '' } = step;
    const reset = FieldSet.of(fieldPath(subresource === 'status' ? 'spec' : 'status'));
    return new FieldManager({
      kind: { group, version, kind: world.isCustom() ? 'Thing' : step.object.kind },
      subresource,
      versions: {
        typeOf: (each) => world.typeOf(each),
        convert: (object, to) => world.convert(object, to),
        resetFields: () => (world.isCustom() ? reset : undefined),
      },
      clock: { now: () => Date.UTC(2001, 0, 1, 0, this.#writes) },
      vocabulary: kubernetesVocabulary,
    });
  }

  #convert(object: ApiObject, apiVersion: string): ApiObject {
    return this.#world.convert(object as unknown as JsonObject, apiVersion) as unknown as ApiObject;
  }

  #error(error: StatusError): JsonObject {
    const message = error.message;
    if (error.code !== 409)
      return error.message.startsWith('failed') ? { message } : { message, code: error.code };
    const causes = error.details?.causes ?? [];
    const conflicts = causes.map(({ message: who = '', field = '' }) => [who, field]);
    conflicts.sort(([a = '', b = ''], [c = '', d = '']) => compareUtf8(a, c) || compareUtf8(b, d));
    return { message, code: error.code, conflicts };
  }
}
