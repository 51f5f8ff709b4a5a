import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';

/** A resource type in one version, derived from the paths of an OpenAPI v3 document. */
export interface DescribedKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  /** Supported actions: `list`, `get`, `post`, `put`, `patch`, `delete`, `deletecollection`. */
  readonly actions: ReadonlySet<string>;
  /** Names of its subresources. */
  readonly subresources: ReadonlySet<string>;
  /** Whether it has merge keys, which only compiled-in kinds have. */
  readonly isBuiltIn: boolean;
}

/** `/apis/<group>/<version>/…`, the namespace as a variable, the plural, the name as a variable, a subresource. */
const RESOURCE_PATH =
  /^\/(?:api|apis\/(?<group>[^/{}]+))\/(?<version>[^/{}]+)\/(?<namespaced>namespaces\/\{namespace\}\/)?(?<plural>[^/{}]+)(?:\/\{name\}(?:\/(?<subresource>[^/{}]+))?)?$/;

const STRATEGIC = 'application/strategic-merge-patch+json';

/** The resource types of a document, in the order of their paths. */
export function describedKinds(document: JsonObject, vocabulary: Vocabulary): readonly DescribedKind[] {
  const found = new Map<string, KindBuilder>();
  for (const [path, item] of Object.entries(objectOf(document.paths))) {
    const match = RESOURCE_PATH.exec(path)?.groups;
    if (!match || !isJsonObject(item as JsonValue)) continue;
    const { group = '', version = '', plural = '', subresource } = match;
    const key = `${group}/${version}/${plural}`;
    const builder = found.get(key) ?? new KindBuilder(group, version, plural, document, vocabulary);
    found.set(key, builder);
    builder.add(objectOf(item), match.namespaced !== undefined, subresource);
  }
  return [...found.values()].flatMap((builder) => builder.finish() ?? []);
}

class KindBuilder {
  readonly #group: string;
  readonly #version: string;
  readonly #plural: string;
  readonly #document: JsonObject;
  readonly #vocabulary: Vocabulary;
  readonly #actions: Set<string> = new Set();
  readonly #subresources: Set<string> = new Set();
  #kind: string | undefined;
  #listKind: string | undefined;
  #namespaced = false;
  #isStrategic = false;

  constructor(group: string, version: string, plural: string, document: JsonObject, vocabulary: Vocabulary) {
    this.#group = group;
    this.#version = version;
    this.#plural = plural;
    this.#document = document;
    this.#vocabulary = vocabulary;
  }

  add(item: JsonObject, namespaced: boolean, subresource: string | undefined): void {
    if (namespaced) this.#namespaced = true;
    if (subresource !== undefined) {
      this.#subresources.add(subresource);
      return;
    }
    for (const operation of Object.values(item))
      if (isJsonObject(operation as JsonValue)) this.#operation(objectOf(operation));
  }

  finish(): DescribedKind | undefined {
    if (this.#kind === undefined) return undefined;
    return {
      group: this.#group,
      version: this.#version,
      plural: this.#plural,
      kind: this.#kind,
      listKind: this.#listKind ?? `${this.#kind}List`,
      namespaced: this.#namespaced,
      actions: this.#actions,
      subresources: this.#subresources,
      isBuiltIn: this.#isStrategic || !this.#actions.has('patch'),
    };
  }

  #operation(operation: JsonObject): void {
    const { kind } = objectOf(operation[this.#extension('group-version-kind')]);
    const action = operation[this.#extension('action')];
    if (typeof kind !== 'string' || typeof action !== 'string') return;
    this.#kind ??= kind;
    this.#actions.add(action);
    if (action === 'list') this.#listKind ??= this.#answeredKind(operation);
    if (STRATEGIC in objectOf(objectOf(operation.requestBody).content)) this.#isStrategic = true;
  }

  /** Returns the kind of a response's schema. */
  #answeredKind({ responses }: JsonObject): string | undefined {
    const [form] = Object.values(objectOf(objectOf(objectOf(responses)['200']).content));
    const { $ref } = objectOf(objectOf(form).schema);
    const schema = typeof $ref === 'string' ? componentOf(this.#document, $ref) : undefined;
    const [marker] = listOf(schema?.[this.#extension('group-version-kind')]);
    const { kind } = objectOf(marker);
    return typeof kind === 'string' ? kind : undefined;
  }

  #extension(name: string): string {
    return this.#vocabulary.extensionPrefix + name;
  }
}

const COMPONENTS = '#/components/schemas/';

/** The schema of a document that a reference names. */
export function componentOf(document: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith(COMPONENTS)) return undefined;
  const schemas = objectOf(objectOf(document.components).schemas);
  const name = reference.slice(COMPONENTS.length);
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  return schema !== undefined && isJsonObject(schema) ? schema : undefined;
}

/** Returns the schema of a kind in a document. */
export function kindComponent(
  document: JsonObject,
  { group, version, kind }: DescribedKind,
  { extensionPrefix }: Vocabulary,
): JsonObject | undefined {
  const isKind = (marker: JsonValue | undefined): boolean => {
    const { group: g, version: v, kind: k } = objectOf(marker);
    return g === group && v === version && k === kind;
  };
  const found = Object.values(objectOf(objectOf(document.components).schemas)).find((schema) =>
    listOf(objectOf(schema)[`${extensionPrefix}group-version-kind`]).some(isKind),
  );
  return found === undefined ? undefined : objectOf(found);
}

const NONE: JsonObject = {};

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : NONE;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
