import { type Library, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { MAP_INSERT, twoVariableMacros } from '../syntax/macros.ts';
import { CelMap, isKey, isMap, type MapKey, mapGet, mapKeyOf, mapKeys } from '../values/maps.ts';
import { EvaluationError, noSuchOverload, typeOfValue, type Value } from '../values/values.ts';

const K = types.parameter('K');
const V = types.parameter('V');
const mapOfKV = types.map(K, V);

function insertInto(map: CelMap, key: Value, value: Value): CelMap | EvaluationError {
  const normal = mapKeyOf(key);
  if (normal === undefined || !isKey(key))
    return new EvaluationError(`unsupported key type: ${typeOfValue(key).name}`);
  return (
    map.with(normal, key, value) ?? new EvaluationError(`insert failed: key ${String(normal)} already exists`)
  );
}

/** A copy of the map to which entries can be added. */
function extensible(map: Value): CelMap | undefined {
  if (map instanceof CelMap || !isMap(map)) return map instanceof CelMap ? map : undefined;
  return CelMap.of(
    mapKeys(map).map((key) => {
      const normal = mapKeyOf(key) as MapKey;
      return [normal, key, mapGet(map, normal) as Value];
    }),
  );
}

function insert(map: Value, key: Value, value: Value): Value {
  const target = extensible(map);
  return target ? insertInto(target, key, value) : noSuchOverload();
}

function insertAll(map: Value, added: Value): Value {
  let target = extensible(map);
  if (!target || !isMap(added)) return noSuchOverload();
  for (const key of mapKeys(added)) {
    const next = insertInto(target, key, mapGet(added, mapKeyOf(key) as MapKey) as Value);
    if (next instanceof EvaluationError) return next;
    target = next;
  }
  return target;
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
