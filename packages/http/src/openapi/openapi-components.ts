import { listSchema } from '@ashlar/codec';
import {
  deleteOptionsSchema,
  type JsonObject,
  listMetaSchema,
  objectMetaSchema,
  type Schema,
  statusSchema,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDialect } from '@ashlar/registry';
import { toOpenApi } from '@ashlar/schema';
import type { ServedResource } from '../catalog/served-resource.ts';
import { type KindMarker, markerOf } from './kind-marker.ts';
import { inAllGroups } from './openapi-common-kinds.ts';
import { customKindDocument, customListDocument } from './openapi-custom-kinds.ts';
import { componentForm, isNamed, publishedField, withSiblings } from './openapi-references.ts';
import { watchEventSchema } from './openapi-shared-schemas.ts';

/** Component schemas by content: distinct from fields of their type, which have descriptions of their own. */
const STANDING_ALONE: ReadonlyMap<Schema['properties'], Schema> = new Map(
  [objectMetaSchema, listMetaSchema, statusSchema, deleteOptionsSchema].map((each) => [
    each.properties,
    each,
  ]),
);

/**
 * Component schemas of a document by name. Built-in types that a schema names become components that it
 * refers to.
 */
export class OpenApiComponents {
  readonly schemas: Record<string, JsonObject> = {};
  readonly vocabulary: Vocabulary;
  /** By name of the component: most are referred to very often. */
  readonly #references: Map<string, JsonObject> = new Map();
  readonly #dialect: ResourceDialect;
  readonly #markers: ReadonlyMap<string, KindMarker>;

  /**
   * @param markers the kinds of built-in types, by type name
   * @param dialect of the types that a document describes
   */
  constructor(
    vocabulary: Vocabulary,
    markers: ReadonlyMap<string, KindMarker> = new Map(),
    dialect: ResourceDialect = 'built-in',
  ) {
    this.#dialect = dialect;
    this.vocabulary = vocabulary;
    this.#markers = markers;
  }

  /** Returns a reference to the schema of a resource type's objects. */
  object(served: ServedResource): JsonObject {
    return this.#add(this.#objectName(served), () => ({
      ...this.#kindDocument(served),
      ...this.#marker(markerOf(served)),
    }));
  }

  /** Returns a reference to the schema of its lists. */
  list(served: ServedResource): JsonObject {
    return this.#add(this.#listName(served), () => ({
      ...this.#listDocument(served),
      ...this.#marker({ ...markerOf(served), kind: served.definition.names.listKind }),
    }));
  }

  /** Returns a reference to the schema of a Status. */
  status(): JsonObject {
    return this.#shared(statusSchema, [{ group: '', version: 'v1', kind: 'Status' }]);
  }

  /** Returns a reference to the schema of DeleteOptions, which every group has. */
  deleteOptions(marker: KindMarker): JsonObject {
    return this.#shared(deleteOptionsSchema, this.#inAllGroups(marker, 'DeleteOptions'));
  }

  /** Returns a reference to the schema of watch events, which every group has. */
  watchEvent(marker: KindMarker): JsonObject {
    return this.#shared(watchEventSchema, this.#inAllGroups(marker, 'WatchEvent'));
  }

  /** Returns a reference to the schema of patches of any type. */
  patch(): JsonObject {
    const name = this.#typeName('apimachinery.pkg.apis.meta.v1.Patch');
    return this.#add(name, () => ({
      type: 'object',
      description: 'A patch, of the form that its type names.',
    }));
  }

  /** Returns a reference to the schema of what discovery returns. @param kind absent if it has none */
  discovered(schema: Schema, kind?: string): JsonObject {
    return this.#shared(schema, kind === undefined ? [] : [{ group: '', version: 'v1', kind }]);
  }

  #inAllGroups(marker: KindMarker, kind: string): readonly KindMarker[] {
    return inAllGroups(kind, this.#dialect, this.vocabulary, marker);
  }

  #kindDocument(served: ServedResource): JsonObject {
    const { definition, version } = served;
    if (definition.dialect === 'built-in' || version.schema.typeName) return this.#document(version.schema);
    return customKindDocument(version, this.vocabulary, this.#part(objectMetaSchema), this.#replace);
  }

  #listDocument(served: ServedResource): JsonObject {
    const { definition, version } = served;
    const item = this.object(served);
    if (definition.dialect === 'built-in') return this.#document(listSchema(version.schema));
    return customListDocument(served, item, this.#part(listMetaSchema));
  }

  #objectName({ definition, version }: ServedResource): string {
    const { typeName } = version.schema;
    return typeName ? this.#typeName(typeName) : nameInGroup(definition.names.kind, definition, version);
  }

  #listName({ definition, version }: ServedResource): string {
    const { typeName } = version.schema;
    return typeName
      ? `${this.#typeName(typeName)}List`
      : nameInGroup(definition.names.listKind, definition, version);
  }

  #typeName(typeName: string): string {
    return `${this.vocabulary.schemaPrefix}.${typeName}`;
  }

  #shared(schema: Schema, kinds: readonly KindMarker[]): JsonObject {
    return this.#add(this.#typeName(schema.typeName as string), () => ({
      ...this.#document(schema),
      ...(kinds.length > 0 && this.#marker(...kinds)),
    }));
  }

  /** Returns a reference to a named built-in type, which becomes a component of the document. */
  #part(part: Schema): JsonObject {
    const typeName = part.typeName as string;
    const marker = this.#markers.get(typeName);
    return this.#add(this.#typeName(typeName), () => ({
      ...this.#document(componentForm(STANDING_ALONE.get(part.properties) ?? part)),
      ...(marker && this.#marker(marker)),
    }));
  }

  /** Replaces the named parts of a schema with references. */
  #document(schema: Schema): JsonObject {
    return toOpenApi(schema, { vocabulary: this.vocabulary, part: this.#replace });
  }

  /** Returns the replacement of a part: named types are components. */
  readonly #replace = (part: Schema, write: (schema: Schema) => JsonObject): JsonObject | undefined => {
    if (isNamed(part))
      return withSiblings(part, this.#part(part), this.#namedDocument(part), this.vocabulary);
    const field = publishedField(part);
    return field && write(field);
  };

  #namedDocument(part: Schema): JsonObject {
    return this.schemas[this.#typeName(part.typeName as string)] as JsonObject;
  }

  #add(name: string, make: () => JsonObject): JsonObject {
    if (!this.schemas[name]) {
      // a recursive type finds its name defined already
      this.schemas[name] = {};
      this.schemas[name] = make();
    }
    const reference = this.#references.get(name) ?? { $ref: `#/components/schemas/${name}` };
    this.#references.set(name, reference);
    return reference;
  }

  #marker(...kinds: readonly KindMarker[]): JsonObject {
    const markers = kinds.map(({ group, kind, version }) => ({ group, kind, version }));
    return { [`${this.vocabulary.extensionPrefix}group-version-kind`]: markers };
  }
}

function nameInGroup(
  kind: string,
  { group }: ServedResource['definition'],
  { name }: ServedResource['version'],
): string {
  return `${group.split('.').reverse().join('.')}.${name}.${kind}`;
}
