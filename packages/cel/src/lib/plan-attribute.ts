import { findField, hasField, indexValue, optionalField, optionalIndex, selectField } from './access.ts';
import { type CallNode, type Expression, type IdentifierNode, Operator, type SelectNode } from './ast.ts';
import { qualifiedName } from './checker.ts';
import type { Evaluate, Frame } from './frame.ts';
import { constantPlan, type Local, type Plan, type Planner } from './plan.ts';
import { Boxed, EvaluationError, Optional, type Value } from './values.ts';

/** One step of reading on from a value. */
type Step =
  | { readonly kind: 'field'; readonly name: string; readonly position: number }
  | { readonly kind: 'optional-field'; readonly name: string; readonly position: number }
  | { readonly kind: 'test'; readonly name: string; readonly position: number }
  | { readonly kind: 'index'; readonly index: Plan; readonly optional: boolean; readonly position: number };

/** Something read: a variable, or a value, and the steps from there. */
interface Attribute {
  readonly root: Root;
  readonly steps: readonly Step[];
}

type Root =
  | { readonly kind: 'variable'; readonly name: string; readonly position: number }
  | { readonly kind: 'local'; readonly local: Local }
  | { readonly kind: 'value'; readonly plan: Plan };

/** Plans a name, a field, an element, or `has()`. */
export function planAttribute(planner: Planner, node: IdentifierNode | SelectNode | CallNode): Plan {
  const attribute = attributeOf(planner, node);
  if ('constant' in attribute) return constantPlan(attribute.constant);
  const conditionalRoot = attribute.root.kind === 'value' && attribute.root.plan.access === 'conditional';
  const counts = planner.model !== undefined;
  const branch = evaluateAttribute(attribute, planner, 0);
  const run = counts && !conditionalRoot ? evaluateAttribute(attribute, planner, 1) : branch;
  return { run, runAsBranch: branch, access: 'attribute' };
}

/** Whether the node reads on from another: then steps add up and the root is counted once. */
function attributeOf(planner: Planner, node: Expression): Attribute | { readonly constant: Value } {
  switch (node.kind) {
    case 'identifier':
      return nameAttribute(planner, node);
    case 'select':
      return selectAttribute(planner, node);
    case 'call':
      if (isAccess(node)) return accessAttribute(planner, node);
  }
  const plan = planner.plan(node);
  return { root: { kind: 'value', plan }, steps: [] };
}

const ACCESS: ReadonlySet<string> = new Set([Operator.index, Operator.optionalIndex, Operator.optionalSelect]);

/** Whether a call reads an element or optional field. */
export function isAccess(node: CallNode): boolean {
  return ACCESS.has(node.function) && node.arguments.length === 2 && node.target === undefined;
}

function nameAttribute(planner: Planner, node: IdentifierNode): Attribute | { readonly constant: Value } {
  const reference = planner.referenceOf(node);
  const local = node.name.startsWith('.') ? undefined : planner.findLocal(node.name);
  if (local && (!reference || reference.local)) return { root: { kind: 'local', local }, steps: [] };
  if (reference) {
    if (reference.value !== undefined) return { constant: reference.value };
    return { root: variable(reference.name as string, node), steps: [] };
  }
  return uncheckedName(planner, node, [node.name]);
}

const variable = (name: string, node: Expression): Root => ({ kind: 'variable', name, position: node.position });

function selectAttribute(planner: Planner, node: SelectNode): Attribute | { readonly constant: Value } {
  const reference = planner.referenceOf(node);
  if (reference?.value !== undefined) return { constant: reference.value };
  if (reference?.name !== undefined) return { root: variable(reference.name, node), steps: [] };
  const parts = planner.isChecked ? undefined : qualifiedName(node);
  if (parts && !planner.findLocal(parts[0] as string)) return uncheckedName(planner, node, parts);
  const operand = readFrom(planner, node.operand);
  const step: Step = { kind: node.testOnly ? 'test' : 'field', name: node.field, position: node.position };
  return { root: operand.root, steps: [...operand.steps, step] };
}

function accessAttribute(planner: Planner, node: CallNode): Attribute {
  const [target, index] = node.arguments as [Expression, Expression];
  const operand = readFrom(planner, target);
  const { position } = node;
  const step: Step =
    node.function === Operator.optionalSelect && index.kind === 'constant' && typeof index.value === 'string'
      ? { kind: 'optional-field', name: index.value, position }
      : { kind: 'index', index: planner.plan(index), optional: node.function !== Operator.index, position };
  return { root: operand.root, steps: [...operand.steps, step] };
}

function readFrom(planner: Planner, node: Expression): Attribute {
  const attribute = attributeOf(planner, node);
  if (!('constant' in attribute)) return attribute;
  return { root: { kind: 'value', plan: constantPlan(attribute.constant) }, steps: [] };
}

/**
 * A name that was not checked: the longest declared or bound name wins, the rest are fields. Types known to the scope are
 * constants.
 */
function uncheckedName(
  planner: Planner,
  node: Expression,
  parts: readonly string[],
): Attribute | { readonly constant: Value } {
  for (let length = parts.length; length > 0; length--) {
    const found = planner.scope.findIdentifier(parts.slice(0, length).join('.'));
    if (!found) continue;
    const steps = fieldSteps(parts.slice(length), node);
    if (found.value === undefined) return { root: variable(found.name, node), steps };
    const plan = constantPlan(found.value);
    return steps.length === 0 ? { constant: found.value } : { root: { kind: 'value', plan }, steps };
  }
  return { root: { kind: 'value', plan: boundName(planner, parts) }, steps: [] };
}

const fieldSteps = (names: readonly string[], node: Expression): Step[] =>
  names.map((name) => ({ kind: 'field', name, position: node.position }));

/** A name that nothing declares: looked up in the bindings while running. */
function boundName(planner: Planner, parts: readonly string[]): Plan {
  const choices = parts.flatMap((_, i) => {
    const length = parts.length - i;
    const names = planner.scope.candidates(parts.slice(0, length).join('.'));
    return names.map((name) => ({ name, rest: parts.slice(length) }));
  });
  const run: Evaluate = (frame) => {
    for (const { name, rest } of choices) {
      if (!Object.hasOwn(frame.bindings, name)) continue;
      let value = frame.bindings[name] as Value;
      for (const field of rest) value = selectField(value, field);
      return value;
    }
    return new EvaluationError(`undeclared reference to '${parts.join('.')}' (in container '${planner.scope.container}')`);
  };
  return { run };
}

function evaluateAttribute(attribute: Attribute, planner: Planner, rootUnits: 0 | 1): Evaluate {
  const { root, steps } = attribute;
  const read = readRoot(root);
  const fixed = rootUnits + planner.units((model) => fixedUnits(root, steps, model.presenceTest));
  if (steps.every((step) => step.kind === 'field')) {
    const names = steps.map((step) => (step as { name: string }).name);
    const positions = steps.map((step) => step.position);
    return root.kind === 'variable' ? variablePath(root.name, names, positions, fixed) : path(read, names, positions, fixed);
  }
  const runs = steps.map((step) => runStep(step, planner));
  return (frame) => {
    frame.cost += fixed;
    let value = read(frame);
    for (let i = 0; i < runs.length; i++) {
      if (value instanceof EvaluationError) return value;
      value = (runs[i] as RunStep)(value, frame);
    }
    return value;
  };
}

/** Units of reading that do not depend on values: one a step, except where an index counts for itself. */
function fixedUnits(root: Root, steps: readonly Step[], presenceTest: number): number {
  let units = 0;
  for (const step of steps) {
    if (step.kind !== 'index') units += 1;
    else if (!step.index.access) units += 1;
    if (step.kind === 'test') units += presenceTest - 1;
  }
  return units;
}

function readRoot(root: Root): Evaluate {
  switch (root.kind) {
    case 'value':
      return root.plan.run;
    case 'local':
      return readLocal(root.local);
    case 'variable': {
      const { name } = root;
      return (frame) => readVariable(frame, name);
    }
  }
}

function readLocal(local: Local): Evaluate {
  const { slot, initial } = local;
  if (!initial) return (frame) => frame.locals[slot] as Value;
  return (frame) => {
    const known = frame.locals[slot];
    if (known !== undefined) return known;
    const value = initial(frame);
    frame.locals[slot] = value;
    return value;
  };
}

function readVariable(frame: Frame, name: string): Value {
  const value = frame.bindings[name];
  if (value !== undefined) return value as Value;
  return new EvaluationError(`no such attribute(s): ${name}`);
}

/** Names that objects, arrays or values of our own have without being fields. */
const UNSAFE_FIELD = /^(?:length|\d.*|__proto__)$/;
const isSafeField = (name: string): boolean => !(name in Object.prototype) && !(name in Array.prototype) && !(name in Uint8Array.prototype) && !UNSAFE_FIELD.test(name);

function at(value: Value, position: number): Value {
  if (value instanceof EvaluationError) value.position ??= position;
  return value;
}

/** Reads a field by the shortest way; everything unusual goes to {@link selectField}. */
function readField(value: Value, name: string, safe: boolean): Value {
  if (safe && typeof value === 'object' && value !== null && !(value instanceof Boxed)) {
    const found = (value as Record<string, Value | undefined>)[name];
    if (found !== undefined) return found;
  }
  return selectField(value, name);
}

function variablePath(name: string, names: readonly string[], positions: readonly number[], units: number): Evaluate {
  const safe = names.map(isSafeField);
  const { length } = names;
  if (length === 0) {
    return (frame) => {
      frame.cost += units;
      return readVariable(frame, name);
    };
  }
  return (frame) => {
    frame.cost += units;
    let value = readVariable(frame, name);
    for (let i = 0; i < length; i++) {
      value = readField(value, names[i] as string, safe[i] as boolean);
      if (value instanceof Boxed && value instanceof EvaluationError) return at(value, positions[i] as number);
    }
    return value;
  };
}

function path(read: Evaluate, names: readonly string[], positions: readonly number[], units: number): Evaluate {
  const safe = names.map(isSafeField);
  const { length } = names;
  if (length === 1) {
    const only = names[0] as string;
    const onlySafe = safe[0] as boolean;
    const position = positions[0] as number;
    return (frame) => {
      frame.cost += units;
      const value = readField(read(frame), only, onlySafe);
      return value instanceof EvaluationError ? at(value, position) : value;
    };
  }
  return (frame) => {
    frame.cost += units;
    let value = read(frame);
    for (let i = 0; i < length; i++) {
      value = readField(value, names[i] as string, safe[i] as boolean);
      if (value instanceof EvaluationError) return at(value, positions[i] as number);
    }
    return value;
  };
}

type RunStep = (value: Value, frame: Frame) => Value;

function runStep(step: Step, planner: Planner): RunStep {
  const { position } = step;
  switch (step.kind) {
    case 'field':
      return (value) => at(selectField(value, step.name), position);
    case 'optional-field':
      return (value) => at(optionalField(value, step.name), position);
    case 'test':
      return (value) => at(hasField(value, step.name), position);
    case 'index':
      return step.index.constant === undefined
        ? dynamicIndex(step.index, step.optional, position)
        : constantIndex(step.index.constant, step.optional, position, planner);
  }
}

function dynamicIndex(plan: Plan, optional: boolean, position: number): RunStep {
  const { run } = plan;
  const read = optional ? optionalIndex : indexValue;
  return (value, frame) => {
    const index = run(frame);
    return at(index instanceof EvaluationError ? index : read(value, index), position);
  };
}

function constantIndex(index: Value, optional: boolean, position: number, _planner: Planner): RunStep {
  const read = optional ? optionalIndex : indexValue;
  if (optional || typeof index !== 'string') return (value) => at(read(value, index), position);
  const safe = isSafeField(index);
  return (value) => {
    if (safe && typeof value === 'object' && value !== null && !(value instanceof Boxed)) {
      const found = (value as Record<string, Value | undefined>)[index];
      if (found !== undefined) return found;
    }
    return at(indexValue(value, index), position);
  };
}
