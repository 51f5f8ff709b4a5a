import { selectField } from './access.ts';
import type { Evaluate, Frame } from './frame.ts';
import { Boxed, EvaluationError, type Value } from './values.ts';

/** A slot of the frame to read from, and how it is filled where it is empty. */
export interface Source {
  readonly slot: number;
  readonly fill: Evaluate;
}

/** A field to read. */
export interface FieldStep {
  readonly name: string;
  readonly position: number;
}

/** Names that arrays and objects have without being fields. */
const UNSAFE_NAME = /^(?:length|\d.*)$/;

/** Whether a property of that name is a field of any object that has it. */
export function isSafeField(name: string): boolean {
  return (
    !(name in Object.prototype || name in Array.prototype || name in Uint8Array.prototype) &&
    !UNSAFE_NAME.test(name)
  );
}

/** A value that is read; an error is told where it happened, where nobody did so before. */
export function at(value: Value, position: number): Value {
  if (value instanceof EvaluationError) value.position ??= position;
  return value;
}

/** A field by the shortest way; everything unusual goes to {@link selectField}. */
function read(value: Value, step: FieldStep): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof Boxed)) {
    const found = (value as Record<string, Value | undefined>)[step.name];
    if (found !== undefined) return found;
  }
  return at(selectField(value, step.name), step.position);
}

/** Reads fields one after the other from a slot. Most paths are short, and each length has a closure of its own. */
export function pathFromSlot({ slot, fill }: Source, steps: readonly FieldStep[], units: number): Evaluate {
  if (!steps.every(({ name }) => isSafeField(name))) return carefulPath(startAt(slot, fill), steps, units);
  const [first, second, third, fourth] = steps;
  if (!first) return readSlot(slot, fill, units);
  if (!second) {
    return (frame) => {
      frame.cost += units;
      return read(frame.slots[slot] ?? filled(frame, slot, fill), first);
    };
  }
  if (!third) {
    return (frame) => {
      frame.cost += units;
      return read(read(frame.slots[slot] ?? filled(frame, slot, fill), first), second);
    };
  }
  if (!fourth) {
    return (frame) => {
      frame.cost += units;
      return read(read(read(frame.slots[slot] ?? filled(frame, slot, fill), first), second), third);
    };
  }
  return (frame) => {
    frame.cost += units;
    let value = frame.slots[slot] ?? filled(frame, slot, fill);
    for (let i = 0; i < steps.length; i++) value = read(value, steps[i] as FieldStep);
    return value;
  };
}

function readSlot(slot: number, fill: Evaluate, units: number): Evaluate {
  return (frame) => {
    frame.cost += units;
    return frame.slots[slot] ?? filled(frame, slot, fill);
  };
}

/** The value of an empty slot. A null is a value: it is there, and `fill` is not asked. */
function filled(frame: Frame, slot: number, fill: Evaluate): Value {
  if (frame.slots[slot] === null) return null;
  const value = fill(frame);
  frame.slots[slot] = value;
  return value;
}

const startAt =
  (slot: number, fill: Evaluate): Evaluate =>
  (frame) =>
    frame.slots[slot] ?? filled(frame, slot, fill);

/** Reads fields from a value that is computed. */
export function pathFromValue(start: Evaluate, steps: readonly FieldStep[], units: number): Evaluate {
  if (!steps.every(({ name }) => isSafeField(name))) return carefulPath(start, steps, units);
  return (frame) => {
    frame.cost += units;
    let value = start(frame);
    for (let i = 0; i < steps.length; i++) value = read(value, steps[i] as FieldStep);
    return value;
  };
}

/** Reads fields whose names might be mistaken for properties. */
function carefulPath(start: Evaluate, steps: readonly FieldStep[], units: number): Evaluate {
  return (frame) => {
    frame.cost += units;
    let value = start(frame);
    for (const { name, position } of steps) value = at(selectField(value, name), position);
    return value;
  };
}
