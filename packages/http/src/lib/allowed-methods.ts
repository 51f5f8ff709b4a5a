/** Methods by the verbs that stand for them, on an object and on a collection. */
const OF_OBJECT: readonly (readonly [verb: string, method: string])[] = [
  ['get', 'GET'],
  ['get', 'HEAD'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
];
const OF_COLLECTION: readonly (readonly [verb: string, method: string])[] = [
  ['list', 'GET'],
  ['list', 'HEAD'],
  ['create', 'POST'],
  ['deletecollection', 'DELETE'],
];

/** The methods that a path takes whose resource has these verbs. */
export function allowedMethods(verbs: readonly string[], named: boolean): readonly string[] {
  const methods = named ? OF_OBJECT : OF_COLLECTION;
  return methods.flatMap(([verb, method]) => (verbs.includes(verb) ? [method] : []));
}
