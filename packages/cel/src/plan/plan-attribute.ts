import {
  type CallNode,
  type Expression,
  type IdentifierNode,
  Operator,
  type SelectNode,
} from '../syntax/ast.ts';
import { qualifiedName } from '../syntax/qualified-name.ts';
import { Boxed, EvaluationError, isError, located, type Value } from '../values/values.ts';
import { hasField, indexValue, optionalField, optionalIndex, selectField } from './access.ts';
import type { Evaluate, Frame } from './frame.ts';
import { constantPlan, type Plan } from './plan.ts';
import { type FieldStep, isSafeField, pathFromSlot, pathFromValue, type Source } from './plan-path.ts';
import type { Planner } from './planner.ts';

/** One access after a value. */
type Step =
  | FieldStep
  | { readonly kind: 'optional-field' | 'test'; readonly name: string; readonly position: number }
  | { readonly kind: 'index'; readonly index: Plan; readonly optional: boolean; readonly position: number };

/** An attribute: a variable or value, and the accesses after it. */
interface Attribute {
  readonly kind: 'attribute';
  readonly root: Root;
  readonly steps: readonly Step[];
}

type Root =
  | { readonly kind: 'slot'; readonly source: Source; readonly variable?: string }
  | { readonly kind: 'value'; readonly plan: Plan };

/** An attribute, or the constant that a name refers to. */
type Read = Attribute | { readonly kind: 'constant'; readonly value: Value };

/** Plans a name, a field, an element, or `has()`. */
export function planAttribute(planner: Planner, node: IdentifierNode | SelectNode | CallNode): Plan {
  const attribute = attributeOf(planner, node);
  if (attribute.kind === 'constant') return constantPlan(attribute.value);
  const { root } = attribute;
  const conditionalRoot = root.kind === 'value' && root.plan.access === 'conditional';
  const branchUnits =
    planner.units((model) => stepUnits(attribute.steps, model.presenceTest)) +
    (root.kind === 'value' ? root.plan.units : 0);
  const units = branchUnits + (conditionalRoot ? 0 : planner.units(() => 1));
  return { run: runAttribute(attribute, planner), units, branchUnits, access: 'attribute' };
}

/** Resolves an attribute: accesses add up, and the root is counted once. */
function attributeOf(planner: Planner, node: Expression): Read {
  switch (node.kind) {
    case 'identifier':
      return nameAttribute(planner, node);
    case 'select':
      return selectAttribute(planner, node);
    case 'call':
      if (isAccess(node)) return accessAttribute(planner, node);
  }
  return { kind: 'attribute', root: { kind: 'value', plan: planner.plan(node) }, steps: [] };
}

const ACCESS: ReadonlySet<string> = new Set([
  Operator.index,
  Operator.optionalIndex,
  Operator.optionalSelect,
]);

/** Whether a call reads an element or optional field. */
export function isAccess(node: CallNode): boolean {
  return ACCESS.has(node.function) && node.arguments.length === 2 && node.target === undefined;
}

function nameAttribute(planner: Planner, node: IdentifierNode): Read {
  const reference = planner.referenceOf(node);
  const local = node.name.startsWith('.') ? undefined : planner.findLocal(node.name);
  if (local && (!reference || reference.local))
    return { kind: 'attribute', root: { kind: 'slot', source: local }, steps: [] };
  if (!reference) return uncheckedName(planner, node, [node.name]);
  if (reference.value !== undefined) return { kind: 'constant', value: reference.value };
  return { kind: 'attribute', root: variable(planner, reference.name as string), steps: [] };
}

const variable = (planner: Planner, name: string): Root => ({
  kind: 'slot',
  source: planner.variableSlot(name),
  variable: name,
});

function selectAttribute(planner: Planner, node: SelectNode): Read {
  const reference = planner.referenceOf(node);
  if (reference?.value !== undefined) return { kind: 'constant', value: reference.value };
  if (reference?.name !== undefined)
    return { kind: 'attribute', root: variable(planner, reference.name), steps: [] };
  const parts = planner.isChecked ? undefined : qualifiedName(node);
  if (parts && !planner.findLocal(parts[0] as string)) return uncheckedName(planner, node, parts);
  const operand = readFrom(planner, node.operand);
  const step: Step = { kind: node.testOnly ? 'test' : 'field', name: node.field, position: node.position };
  return { kind: 'attribute', root: operand.root, steps: [...operand.steps, step] };
}

function accessAttribute(planner: Planner, node: CallNode): Attribute {
  const [target, index] = node.arguments as [Expression, Expression];
  const operand = readFrom(planner, target);
  const step = accessStep(planner, node, index);
  return { kind: 'attribute', root: operand.root, steps: [...operand.steps, step] };
}

function accessStep(planner: Planner, node: CallNode, index: Expression): Step {
  const { position } = node;
  if (index.kind === 'constant' && typeof index.value === 'string') {
    if (node.function === Operator.index) return { kind: 'entry', name: index.value, position };
    if (node.function === Operator.optionalSelect)
      return { kind: 'optional-field', name: index.value, position };
  }
  return { kind: 'index', index: planner.plan(index), optional: node.function !== Operator.index, position };
}

function readFrom(planner: Planner, node: Expression): Attribute {
  const attribute = attributeOf(planner, node);
  if (attribute.kind === 'attribute') return attribute;
  return { kind: 'attribute', root: { kind: 'value', plan: constantPlan(attribute.value) }, steps: [] };
}

/**
 * An unchecked name: the longest declared or bound name wins, the rest are fields. Types in scope are
 * constants.
 */
function uncheckedName(planner: Planner, node: Expression, parts: readonly string[]): Read {
  for (let length = parts.length; length > 0; length--) {
    const found = planner.scope.findIdentifier(parts.slice(0, length).join('.'));
    if (!found) continue;
    const { position } = node;
    const steps = parts.slice(length).map((name): Step => ({ kind: 'field', name, position }));
    if (found.value === undefined) return { kind: 'attribute', root: variable(planner, found.name), steps };
    if (steps.length === 0) return { kind: 'constant', value: found.value };
    return { kind: 'attribute', root: { kind: 'value', plan: constantPlan(found.value) }, steps };
  }
  return { kind: 'attribute', root: { kind: 'value', plan: boundName(planner, parts) }, steps: [] };
}

/** An undeclared name: looked up in the bindings at run time. */
function boundName(planner: Planner, parts: readonly string[]): Plan {
  const choices = parts.flatMap((_, i) => {
    const length = parts.length - i;
    const names = planner.scope.candidates(parts.slice(0, length).join('.'));
    return names.map((name) => ({ name, rest: parts.slice(length) }));
  });
  const undeclared = `undeclared reference to '${parts.join('.')}' (in container '${planner.scope.container}')`;
  const run: Evaluate = (frame) => {
    for (const { name, rest } of choices) {
      if (!Object.hasOwn(frame.bindings, name)) continue;
      let value = frame.bindings[name] as Value;
      for (const field of rest) value = selectField(value, field);
      return value;
    }
    return new EvaluationError(undeclared);
  };
  return { run, units: 0 };
}

type PathField = FieldStep & Step;

const isPathField = (step: Step): step is PathField => step.kind === 'field' || step.kind === 'entry';

function runAttribute({ root, steps }: Attribute, planner: Planner): Evaluate {
  const others = steps.findIndex((step) => !isPathField(step));
  const fields = (others < 0 ? steps : steps.slice(0, others)).filter(isPathField);
  const start = fieldPath(root, fields, planner);
  if (others < 0) return start;
  const runs = steps.slice(others).map(runStep);
  const [only] = runs;
  if (only && runs.length === 1) {
    return (frame) => {
      const value = start(frame);
      return isError(value) ? value : only(value, frame);
    };
  }
  return (frame) => {
    let value = start(frame);
    for (let i = 0; i < runs.length; i++) {
      if (isError(value)) return value;
      value = (runs[i] as RunStep)(value, frame);
    }
    return value;
  };
}

/** Units of the accesses: one each, unless an index has its own cost. */
function stepUnits(steps: readonly Step[], presenceTest: number): number {
  let units = 0;
  for (const step of steps) {
    if (step.kind !== 'index' || !step.index.access) units += 1;
    if (step.kind === 'test') units += presenceTest - 1;
  }
  return units;
}

function fieldPath(root: Root, fields: readonly FieldStep[], planner: Planner): Evaluate {
  if (root.kind === 'value') return pathFromValue(root.plan.run, fields);
  if (root.variable === undefined) return pathFromSlot(root.source, fields);
  const { source, used } = reusedPrefix(root.variable, root.source, fields, planner);
  return pathFromSlot(source, fields.slice(used));
}

/** The longest prefix of a path that is stored for later reads: data do not change during an evaluation. */
function reusedPrefix(
  variableName: string,
  source: Source,
  fields: readonly FieldStep[],
  planner: Planner,
): { source: Source; used: number } {
  let stored = source;
  let used = 0;
  for (let length = 1; length <= fields.length; length++) {
    const prefix = fields.slice(0, length);
    if (prefix.some(({ kind }) => kind !== 'field')) break;
    const slot = planner.reusedSlot([variableName, ...prefix.map((field) => field.name)]);
    if (slot === undefined) continue;
    stored = { slot, fill: pathFromSlot(stored, fields.slice(used, length)) };
    used = length;
  }
  return { source: stored, used };
}

type RunStep = (value: Value, frame: Frame) => Value;

function runStep(step: Step): RunStep {
  const { position } = step;
  switch (step.kind) {
    case 'field':
      return (value) => located(selectField(value, step.name), position);
    case 'entry':
      return (value) => located(indexValue(value, step.name), position);
    case 'optional-field':
      return (value) => located(optionalField(value, step.name), position);
    case 'test':
      return testStep(step.name, position);
    case 'index':
      return indexStep(step.index, step.optional, position);
  }
}

function testStep(name: string, position: number): RunStep {
  if (!isSafeField(name)) return (value) => located(hasField(value, name), position);
  return (value) => {
    if (typeof value === 'object' && value !== null && !(value instanceof Boxed)) {
      if ((value as Record<string, Value | undefined>)[name] !== undefined) return true;
    }
    return located(hasField(value, name), position);
  };
}

function indexStep({ run, units }: Plan, optional: boolean, position: number): RunStep {
  const read = optional ? optionalIndex : indexValue;
  return (value, frame) => {
    frame.cost += units;
    const index = run(frame);
    return located(isError(index) ? index : read(value, index), position);
  };
}
