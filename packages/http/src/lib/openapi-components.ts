import type { JsonObject, Schema, Vocabulary } from '@ashlar/core';
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
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: this.#named('apimachinery.pkg.apis.meta.v1.ListMeta', listMeta),
        items: { type: 'array', items: this.object(served) },
      },
      ...this.#kindMarker(served, served.definition.names.listKind),
    };
    return reference(name);
  }

  /** A reference to the schema of a Status. */
  status(): object {
    return this.#named('apimachinery.pkg.apis.meta.v1.Status', status);
  }

  /** A reference to the schema of the options of a deletion. */
  deleteOptions(): object {
    return this.#named('apimachinery.pkg.apis.meta.v1.DeleteOptions', deleteOptions);
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

  #named(typeName: string, schema: object): object {
    const name = this.#typeName(typeName);
    this.schemas[name] ??= schema;
    return reference(name);
  }

  /** A schema whose named parts are references. */
  #inline(schema: Schema): JsonObject {
    return toOpenApi(schema, {
      vocabulary: this.#vocabulary,
      reference: (part) => (part === schema || !part.typeName ? undefined : this.#part(part, part.typeName)),
    });
  }

  #part(part: Schema, typeName: string): string {
    const name = this.#typeName(typeName);
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      this.schemas[name] = this.#inline(part);
    }
    return `#/components/schemas/${name}`;
  }

  #kindMarker({ definition, version }: ServedResource, kind: string): object {
    const marker = { group: definition.group, kind, version: version.name };
    return { [`${this.#vocabulary.extensionPrefix}group-version-kind`]: [marker] };
  }
}

const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const text = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };

const listMeta = {
  type: 'object',
  properties: { continue: text, remainingItemCount: int64, resourceVersion: text, selfLink: text },
};

const status = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    status: text,
    message: text,
    reason: text,
    details: { type: 'object' },
    code: { type: 'integer', format: 'int32' },
  },
};

const deleteOptions = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    dryRun: { type: 'array', items: text },
    gracePeriodSeconds: int64,
    ignoreStoreReadErrorWithClusterBreakingPotential: { type: 'boolean' },
    orphanDependents: { type: 'boolean' },
    preconditions: { type: 'object', properties: { resourceVersion: text, uid: text } },
    propagationPolicy: text,
  },
};
