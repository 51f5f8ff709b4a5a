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
import type { ApiServer } from '../../../assembly/api-server.ts';
import { asApiObject, documentValue, type ManifestDocument } from '../manifest-documents.ts';
import { findKind } from './find-kind.ts';

const LIMITS: EvaluateOptions = { costLimit: ruleLimits.perCall };

/**
 * Evaluates an expression over a document, which is bound to `self` and `object`: with the types of its schema where
 * the server serves the kind, as dynamic data otherwise. Its cost limit is that of one schema rule; exceeding it is
 * an error.
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
    const typedEnvironment = withVariables(environment, typed.type).extend({
      objectTypes: objectTypesOf(typed),
    });
    return vetExpression(typedEnvironment, expression, bindings(schemaValue(value, typed.schema)), LIMITS);
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
    // Any data can be checked; only objects of a kind have a schema.
    return undefined;
  }
}
