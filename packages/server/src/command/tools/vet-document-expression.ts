import {
  type Environment,
  type EvaluateOptions,
  objectTypesOf,
  ruleLimits,
  type SchemaType,
  schemaType,
  schemaValue,
  serverEnvironment,
  types,
  type Vetting,
  vetExpression,
  withTypeAndName,
} from '@ashlar/cel';
import { DecodeError } from '@ashlar/codec';
import type { JsonValue, Schema } from '@ashlar/core';
import type { ApiServer } from '../../assembly/api-server.ts';
import { findKind } from './find-kind.ts';
import { asApiObject, documentValue, type ManifestDocument } from './manifest-documents.ts';

const LIMITS: EvaluateOptions = { costLimit: ruleLimits.perCall };

/**
 * Evaluates an expression over a document, which it knows as `self` and as `object`: with the types of its schema where
 * the server has the kind, as data of any type else. It may spend as much as one rule of a schema may, and is told to have
 * spent more where it does.
 */
export function vetDocumentExpression(
  server: ApiServer,
  expression: string,
  document: ManifestDocument,
): Vetting {
  try {
    const value = documentValue(document);
    const environment = serverEnvironment({ vocabulary: server.vocabulary });
    const typed = typeOf(server, value);
    if (!typed)
      return vetExpression(withVariables(environment, types.dyn), expression, bindings(value), LIMITS);
    const known = withVariables(environment, typed.type).extend({ objectTypes: objectTypesOf(typed) });
    return vetExpression(known, expression, bindings(schemaValue(value, typed.schema)), LIMITS);
  } catch (error) {
    if (DecodeError.is(error)) return { ok: false, error: error.message };
    throw error;
  }
}

const withVariables = (environment: Environment, type: SchemaType['type']): Environment =>
  environment.extend({ variables: { self: type, object: type } });

const bindings = (value: unknown): Record<string, unknown> => ({ self: value, object: value });

function typeOf(server: ApiServer, value: JsonValue): SchemaType | undefined {
  const schema = schemaOf(server, value);
  return schema && schemaType(withTypeAndName(schema), { name: 'Document', isResourceRoot: true });
}

function schemaOf(server: ApiServer, value: JsonValue): Schema | undefined {
  try {
    return findKind(server.catalog, asApiObject(value))?.version.schema;
  } catch {
    // Any data may be vetted; only objects of a kind have a schema.
    return undefined;
  }
}
