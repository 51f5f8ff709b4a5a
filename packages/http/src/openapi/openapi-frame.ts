import { type JsonObject, productName, type Steps, type Vocabulary } from '@ashlar/core';
import type { ResourceDialect } from '@ashlar/registry';
import { sortedByKeySteps } from './sorted-by-key.ts';

/** A document of OpenAPI v3. */
export interface OpenApiDocument extends JsonObject {
  readonly info: JsonObject;
  readonly paths: JsonObject;
  readonly components: {
    readonly schemas?: JsonObject;
    /** Shared by operations, as are the responses: only documents that were converted from v2 have them. */
    readonly parameters?: JsonObject;
    readonly responses?: JsonObject;
    readonly securitySchemes?: JsonObject;
  };
}

/** What documents say besides their paths and schemas. */
export interface DocumentContext {
  readonly vocabulary: Vocabulary;
  /** Major and minor version of the server: `1.32`. */
  readonly release: string;
  /** Documents of custom types are those of a server within the server, and name no credentials. */
  readonly dialect: ResourceDialect;
}

/** The credentials that every operation takes. */
export const BEARER_TOKEN: JsonObject = {
  BearerToken: {
    type: 'apiKey',
    description: 'A bearer token',
    name: 'authorization',
    in: 'header',
  },
};

/** Returns a document with its paths and component schemas in order; there may be tens of thousands. */
export function* openApiFrameSteps(
  paths: Readonly<Record<string, JsonObject>>,
  schemas: Readonly<Record<string, JsonObject>>,
  { vocabulary, release, dialect }: DocumentContext,
): Steps<OpenApiDocument> {
  const isCustom = dialect === 'custom';
  return {
    openapi: '3.0.0',
    info: documentInfo(vocabulary, isCustom ? undefined : release),
    paths: yield* sortedByKeySteps(Object.entries(paths)),
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas: yield* sortedByKeySteps(Object.entries(schemas)) }),
      ...(!isCustom && { securitySchemes: BEARER_TOKEN }),
    },
  };
}

/** Returns title and version of a document. @param release absent for custom types, whose documents all have the same version */
export function documentInfo(vocabulary: Vocabulary, release?: string): JsonObject {
  const title = productName(vocabulary);
  return release === undefined
    ? { title: `${title} CRD Swagger`, version: 'v0.1.0' }
    : { title, version: release };
}
