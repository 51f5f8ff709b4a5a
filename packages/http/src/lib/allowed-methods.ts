import type { RequestInfo } from './request-info.ts';

type Verb = readonly [verb: string, method: string];

/** Methods by the verbs that stand for them, on an object and on a collection. */
const OF_OBJECT: readonly Verb[] = [
  ['get', 'GET'],
  ['get', 'HEAD'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
];
const OF_COLLECTION: readonly Verb[] = [
  ['list', 'GET'],
  ['list', 'HEAD'],
  ['create', 'POST'],
  ['deletecollection', 'DELETE'],
];
/** Objects are made in their collection, but what is sent to a subresource is sent to one object. */
const OF_SUBRESOURCE: readonly Verb[] = [...OF_OBJECT, ['create', 'POST']];

/** The methods that a path takes where these are the verbs. */
export function allowedMethods(
  verbs: readonly string[],
  { name, subresource }: Pick<RequestInfo, 'name' | 'subresource'>,
): readonly string[] {
  const methods = name === '' ? OF_COLLECTION : subresource === '' ? OF_OBJECT : OF_SUBRESOURCE;
  return methods.flatMap(([verb, method]) => (verbs.includes(verb) ? [method] : []));
}
