import { listSchema } from '@ashlar/codec';
import {
  deleteOptionsSchema,
  type JsonObject,
  type Schema,
  statusSchema,
  type Vocabulary,
} from '@ashlar/core';
import { toOpenApi } from '@ashlar/schema';
import type { ServedResource } from './served-resource.ts';

/** Schemas of a document by name. Built-in types that a schema names become schemas of their own, referred to. */
export class OpenApiComponents {
  readonly schemas: Record<string, object> = {};
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** A reference to the schema of a resource type's objects. */
  object(served: ServedResource): object {
    const name = this.#objectName(served);
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      this.schemas[name] = {
        ...this.#inline(served.version.schema),
        ...this.#kindMarker(served, served.definition.names.kind),
      };
    }
    return reference(name);
  }

  /** A reference to the schema of its lists. */
  list(served: ServedResource): object {
    const name = `${this.#objectName(served)}List`;
    this.schemas[name] ??= {
      ...this.#listOf(served),
      ...this.#kindMarker(served, served.definition.names.listKind),
    };
    return reference(name);
  }

  /** A reference to the schema of a Status. */
  status(): object {
    return { $ref: this.#part(statusSchema) };
  }

  /** A reference to the schema of the options of a deletion. */
  deleteOptions(): object {
    return { $ref: this.#part(deleteOptionsSchema) };
  }

  #objectName(served: ServedResource): string {
    const { typeName } = served.version.schema;
    if (typeName) return this.#typeName(typeName);
    const reversed = served.definition.group.split('.').reverse().join('.');
    return `${reversed}.${served.version.name}.${served.definition.names.kind}`;
  }

  #typeName(typeName: string): string {
    return `${this.#vocabulary.schemaPrefix}.${typeName}`;
  }

  #listOf(served: ServedResource): JsonObject {
    this.object(served);
    const item = served.version.schema;
    return toOpenApi(listSchema(item), {
      vocabulary: this.#vocabulary,
      reference: (part) => (part === item ? address(this.#objectName(served)) : this.#part(part)),
    });
  }

  /** A schema whose named parts are references. */
  #inline(schema: Schema): JsonObject {
    return toOpenApi(schema, { vocabulary: this.#vocabulary, reference: (part) => this.#part(part) });
  }

  /** The address of a named part, undefined for others; it becomes a schema of the document. */
  #part(part: Schema): string | undefined {
    if (!part.typeName || !isNamed(part)) return undefined;
    const name = this.#typeName(part.typeName);
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      this.schemas[name] = this.#inline(part);
    }
    return address(name);
  }

  #kindMarker({ definition, version }: ServedResource, kind: string): object {
    const marker = { group: definition.group, kind, version: version.name };
    return { [`${this.#vocabulary.extensionPrefix}group-version-kind`]: [marker] };
  }
}

const address = (name: string): string => `#/components/schemas/${name}`;
const reference = (name: string): object => ({ $ref: address(name) });

/** Texts of a named type are written in place. */
const isNamed = ({ type, format, typeName }: Schema): boolean =>
  typeName !== undefined && (type !== 'string' || format !== undefined);
