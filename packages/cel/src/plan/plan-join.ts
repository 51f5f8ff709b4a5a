import { sizeOf } from '../cost/cost-model.ts';
import type { CallNode } from '../syntax/ast.ts';
import { codePointCount } from '../values/strings.ts';
import { isError, type Value } from '../values/values.ts';
import type { Evaluate, Frame } from './frame.ts';
import { add } from './operators.ts';
import type { JoinedText, Plan } from './plan.ts';
import type { Planner } from './planner.ts';

/**
 * Plans `+` of texts: a chain of them is one loop over its parts. Every `+` costs the current length of the
 * text.
 */
export function planJoin(planner: Planner, node: CallNode, left: Plan, right: Plan): Plan {
  const before = left.parts ?? [{ run: left.run, size: constantSize(left), position: node.position }];
  const parts = [...before, { run: right.run, size: constantSize(right), position: node.position }];
  const unit = planner.units((model) => model.text);
  return {
    run: planner.model ? joinMetered(parts, unit) : join(parts),
    units: left.units + right.units,
    parts,
  };
}

/** Code points of a constant text. */
const constantSize = ({ constant }: Plan): number | undefined =>
  typeof constant === 'string' ? codePointCount(constant) : undefined;

function join(parts: readonly JoinedText[]): Evaluate {
  const [{ run: first }] = parts as [JoinedText];
  return (frame) => {
    let text = first(frame);
    for (let i = 1; i < parts.length; i++) {
      const { run, position } = parts[i] as JoinedText;
      const part = run(frame);
      text =
        typeof text === 'string' && typeof part === 'string' ? text + part : joined(text, part, position);
    }
    return text;
  };
}

function joinMetered(parts: readonly JoinedText[], unit: number): Evaluate {
  const [{ run: first, size: firstSize }] = parts as [JoinedText];
  return (frame) => {
    let text = first(frame);
    let size = firstSize ?? sizeOf(text);
    let units = 0;
    for (let i = 1; i < parts.length; i++) {
      const part = parts[i] as JoinedText;
      const value = part.run(frame);
      if (typeof text !== 'string' || typeof value !== 'string') {
        text = chargeAndJoin(frame, text, value, unit, part.position);
        size = sizeOf(text);
        continue;
      }
      size += part.size ?? codePointCount(value);
      units += Math.ceil(size * unit);
      text += value;
    }
    frame.charge(units);
    return text;
  };
}

function chargeAndJoin(frame: Frame, a: Value, b: Value, unit: number, position: number): Value {
  frame.charge(Math.ceil((sizeOf(a) + sizeOf(b)) * unit));
  return joined(a, b, position);
}

function joined(a: Value, b: Value, position: number): Value {
  if (isError(a)) return a;
  const value = isError(b) ? b : add(a, b);
  if (isError(value)) value.position ??= position;
  return value;
}
