import { types } from '../check/types.ts';
import type { ListNode, MapNode, MessageNode } from '../syntax/ast.ts';
import { CelMap, isKey, type MapKey, mapKeyOf } from '../values/maps.ts';
import {
  EvaluationError,
  isError,
  ObjectValue,
  Optional,
  typeOfValue,
  type Value,
} from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { charged, constantPlan, type Plan } from './plan.ts';
import type { Planner } from './planner.ts';

/** Plans `[a, ?b]`. */
export function planList(planner: Planner, node: ListNode): Plan {
  const plans = node.elements.map((element) => planner.plan(element));
  if (
    planner.foldConstants &&
    plans.every((plan) => plan.constant !== undefined) &&
    node.optionals.size === 0
  ) {
    return constantPlan(Object.freeze(plans.map((plan) => plan.constant as Value)));
  }
  const [first, ...others] = plans;
  const runs = first ? [first.run, ...others.map(charged)] : [];
  const units = planner.units((model) => model.list) + (first?.units ?? 0);
  return {
    run: node.optionals.size === 0 ? plainList(runs) : listWithOptionals(runs, node.optionals),
    units,
  };
}

function plainList(runs: readonly Evaluate[]): Evaluate {
  const { length } = runs;
  return (frame) => {
    const items: Value[] = new Array(length);
    for (let i = 0; i < length; i++) {
      const item = (runs[i] as Evaluate)(frame);
      if (isError(item)) return item;
      items[i] = item;
    }
    return items;
  };
}

function listWithOptionals(runs: readonly Evaluate[], optionals: ReadonlySet<number>): Evaluate {
  return (frame) => {
    const items: Value[] = [];
    for (let i = 0; i < runs.length; i++) {
      const item = (runs[i] as Evaluate)(frame);
      if (isError(item)) return item;
      if (!optionals.has(i)) items.push(item);
      else if (!(item instanceof Optional)) return notOptional('list element', item);
      else if (item.value !== undefined) items.push(item.value);
    }
    return items;
  };
}

function notOptional(what: string, value: Value): EvaluationError {
  return new EvaluationError(
    `cannot initialize optional ${what} from non-optional value of type ${typeOfValue(value).name}`,
  );
}

/** Plans `{a: b, ?c: d}`. */
export function planMap(planner: Planner, node: MapNode): Plan {
  const entries = node.entries.map((entry) => ({
    key: planner.plan(entry.key),
    value: planner.plan(entry.value),
    optional: entry.optional,
  }));
  const constant = entries.every(
    (e) => e.key.constant !== undefined && e.value.constant !== undefined && !e.optional,
  );
  if (planner.foldConstants && constant) {
    const built = buildMap(entries.map((e) => [e.key.constant as Value, e.value.constant as Value]));
    if (!isError(built)) return constantPlan(built);
  }
  const units = planner.units((model) => model.map);
  const runs = entries.map((entry) => ({
    key: charged(entry.key),
    value: charged(entry.value),
    optional: entry.optional,
  }));
  return { run: mapLiteral(runs), units };
}

interface EntryRun {
  readonly key: Evaluate;
  readonly value: Evaluate;
  readonly optional: boolean;
}

function mapLiteral(entries: readonly EntryRun[]): Evaluate {
  return (frame) => {
    const pairs: [Value, Value][] = [];
    for (const entry of entries) {
      const key = entry.key(frame);
      if (isError(key)) return key;
      const value = entry.value(frame);
      if (isError(value)) return value;
      if (!entry.optional) pairs.push([key, value]);
      else if (!(value instanceof Optional)) return notOptional('entry', value);
      else if (value.value !== undefined) pairs.push([key, value.value]);
    }
    return buildMap(pairs);
  };
}

/** A map of the pairs, or an error for an invalid or duplicate key. */
export function buildMap(pairs: readonly (readonly [Value, Value])[]): CelMap | EvaluationError {
  let map = CelMap.empty();
  for (const [key, value] of pairs) {
    if (!isKey(key)) return new EvaluationError(`unsupported key type: ${typeOfValue(key).name}`);
    const more = map.with(mapKeyOf(key) as MapKey, key, value);
    if (!more) return new EvaluationError('Failed with repeated key');
    map = more;
  }
  return map;
}

/** An object created by an expression. */
class Message extends ObjectValue {
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, Value>;
  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.#fields = fields;
  }
  get type(): ReturnType<typeof types.object> {
    return types.object(this.typeName);
  }
  get(field: string): Value | undefined {
    return this.#fields.get(field);
  }
  fields(): Iterable<string> {
    return this.#fields.keys();
  }
}

/** Plans `Type{field: value}`. */
export function planMessage(planner: Planner, node: MessageNode): Plan {
  const name = planner.referenceOf(node)?.name ?? planner.scope.findIdentifier(node.typeName)?.name;
  const units = planner.units((model) => model.message);
  const fields = node.fields.map((field) => ({
    name: field.name,
    optional: field.optional,
    run: planner.planCharged(field.value),
  }));
  return {
    units,
    run: (frame) => {
      if (name === undefined) return new EvaluationError(`unknown type: ${node.typeName}`);
      const values = new Map<string, Value>();
      for (const field of fields) {
        const value = field.run(frame);
        if (isError(value)) return value;
        if (!field.optional) values.set(field.name, value);
        else if (!(value instanceof Optional)) return notOptional('field', value);
        else if (value.value !== undefined) values.set(field.name, value.value);
      }
      return new Message(name, values);
    },
  };
}
