import type { JsonObject } from '@ashlar/core';
import type { ConnectSubresource } from '@ashlar/registry';
import { content, type OperationTarget } from './openapi-operations.ts';
import { fieldParameters, pathParameters, segmentParameters, sorted } from './openapi-parameters.ts';
import { capital, groupWord } from './operation-words.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const ON_STREAMS = ['get', 'post'];

/**
 * Describes the paths of a connection: those that lead to another server take every method and may go on behind the name.
 * @param path of the subresource
 * @param inPath names of its variable segments
 */
export function connectionPaths(
  target: OperationTarget,
  connection: ConnectSubresource,
  path: string,
  inPath: readonly string[],
): Record<string, JsonObject> {
  if (!connection.options) return { [path]: readItem(target, connection, inPath) };
  const item = connectItem(target, connection, inPath, '');
  if (!connection.withPath) return { [path]: item };
  const below = connectItem(target, connection, [...inPath, 'path'], 'WithPath');
  return { [path]: item, [`${path}/{path}`]: below };
}

/** Whatever its type, a body is described as text. */
const TEXT: JsonObject = { type: 'string' };

function connectItem(
  target: OperationTarget,
  connection: ConnectSubresource,
  inPath: readonly string[],
  ending: string,
): JsonObject {
  const methods = connection.withPath ? METHODS : ON_STREAMS;
  const operations = methods.map((method): [string, JsonObject] => {
    const described = operation(target, connection, {
      verb: 'connect',
      method: capital(method),
      ending,
      types: ['*/*'],
    });
    return [method, described];
  });
  const parameters = [...segmentParameters(inPath), ...publishedParameters(connection)];
  return { ...Object.fromEntries(operations), parameters: sorted(parameters) };
}

/** What has no options is read like an object, and is text. */
function readItem(
  target: OperationTarget,
  connection: ConnectSubresource,
  inPath: readonly string[],
): JsonObject {
  const types = ['text/plain', ...target.served.mediaTypes.names];
  const get = operation(target, connection, { verb: 'read', method: '', ending: '', types });
  return { get, parameters: sorted([...pathParameters(inPath), ...publishedParameters(connection)]) };
}

const publishedParameters = ({ options, parameters = options?.schema ?? {} }: ConnectSubresource) =>
  fieldParameters(parameters);

interface OperationWords {
  readonly verb: 'connect' | 'read';
  readonly method: string;
  readonly ending: string;
  readonly types: readonly string[];
}

function operation(
  { served, namespaced }: OperationTarget,
  { name, kind }: ConnectSubresource,
  { verb, method, ending, types }: OperationWords,
): JsonObject {
  const { definition, version, vocabulary } = served;
  const group = groupWord(definition.group, vocabulary);
  const scope = namespaced ? 'Namespaced' : '';
  const { extensionPrefix } = vocabulary;
  return {
    tags: [`${group}_${version.name}`],
    description: `The part ${name} of an object of the kind ${definition.names.kind}`,
    operationId: `${verb}${capital(group)}${capital(version.name)}${method}${scope}${definition.names.kind}${capital(name)}${ending}`,
    responses: {
      200: { description: 'OK', content: content(TEXT, types) },
      401: { description: 'Unauthorized' },
    },
    [`${extensionPrefix}action`]: verb === 'read' ? 'get' : verb,
    [`${extensionPrefix}group-version-kind`]: { group: definition.group, version: version.name, kind },
  };
}
