import { type Library, overload } from '../declarations.ts';
import { MAP_INSERT, twoVariableMacros } from '../macros.ts';
import { types } from '../types.ts';
import {
  CelMap,
  EvaluationError,
  isKey,
  isMap,
  type MapKey,
  mapGet,
  mapKeyOf,
  mapKeys,
  noSuchOverload,
  typeOfValue,
  type Value,
} from '../values.ts';

const K = types.parameter('K');
const V = types.parameter('V');
const mapOfKV = types.map(K, V);

type Entries = Map<MapKey, readonly [Value, Value]>;

function entriesOf(map: Value): Entries | undefined {
  if (map instanceof CelMap) return new Map(map.entries());
  if (!isMap(map)) return undefined;
  const keys = mapKeys(map).map((key) => [mapKeyOf(key) as MapKey, key] as const);
  return new Map(keys.map(([normal, key]) => [normal, [key, mapGet(map, normal) as Value]]));
}

function insertInto(entries: Entries, key: Value, value: Value): EvaluationError | undefined {
  const normal = mapKeyOf(key);
  if (normal === undefined || !isKey(key))
    return new EvaluationError(`unsupported key type: ${typeOfValue(key).name}`);
  if (entries.has(normal)) return new EvaluationError(`insert failed: key ${String(normal)} already exists`);
  entries.set(normal, [key, value]);
  return undefined;
}

function insert(map: Value, key: Value, value: Value): Value {
  const entries = entriesOf(map);
  if (!entries) return noSuchOverload();
  return insertInto(entries, key, value) ?? new CelMap(entries);
}

function insertAll(map: Value, added: Value): Value {
  const entries = entriesOf(map);
  const more = entriesOf(added);
  if (!entries || !more) return noSuchOverload();
  for (const [key, value] of more.values()) {
    const error = insertInto(entries, key, value);
    if (error) return error;
  }
  return new CelMap(entries);
}

/** Loops over index and element, or key and value: `list.all(i, v, …)`, `map.transformMap(k, v, …)`. */
export const twoVariableLibrary: Library = {
  name: 'two-variable-comprehensions',
  macros: twoVariableMacros,
  functions: [
    {
      name: MAP_INSERT,
      overloads: [
        overload('@mapInsert_map_key_value', [mapOfKV, K, V], mapOfKV, insert),
        overload('@mapInsert_map_map', [mapOfKV, mapOfKV], mapOfKV, insertAll),
      ],
    },
  ],
};
