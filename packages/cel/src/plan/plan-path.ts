import { Boxed, isError, located, type Value } from '../values/values.ts';
import { indexValue, selectField } from './access.ts';
import type { Evaluate, Frame } from './frame.ts';

/** A slot of the frame to read, and how to fill it if empty. */
export interface Source {
  readonly slot: number;
  readonly fill: Evaluate;
}

/** A field to read, or an entry by a constant text. */
export interface FieldStep {
  readonly name: string;
  readonly position: number;
  /** Its notation, which determines the error for a value without fields. */
  readonly kind: 'field' | 'entry';
}

/** Properties of arrays and objects that are not fields. */
const UNSAFE_NAME = /^(?:length|\d.*)$/;

/** Whether a property of that name is a field of any object that has it. */
export function isSafeField(name: string): boolean {
  return (
    !(name in Object.prototype || name in Array.prototype || name in Uint8Array.prototype) &&
    !UNSAFE_NAME.test(name)
  );
}

/** Reads a field in the fast way; unusual cases use {@link readCarefully}. */
function read(value: Value, step: FieldStep): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof Boxed)) {
    const found = (value as Record<string, Value | undefined>)[step.name];
    if (found !== undefined) return found;
  }
  return readCarefully(value, step);
}

/** Reads a field of any name and value. */
function readCarefully(value: Value, { kind, name, position }: FieldStep): Value {
  if (isError(value)) return located(value, position);
  return located(kind === 'field' ? selectField(value, name) : indexValue(value, name), position);
}

/** Reads a path of fields from a slot. Most paths are short, and each length has a closure of its own. */
export function pathFromSlot({ slot, fill }: Source, steps: readonly FieldStep[]): Evaluate {
  if (!steps.every(({ name }) => isSafeField(name))) return carefulPath(startAt(slot, fill), steps);
  const [first, second, third, fourth] = steps;
  if (!first) return startAt(slot, fill);
  if (!second) return (frame) => read(frame.slots[slot] ?? filled(frame, slot, fill), first);
  if (!third) return (frame) => read(read(frame.slots[slot] ?? filled(frame, slot, fill), first), second);
  if (!fourth) {
    return (frame) => read(read(read(frame.slots[slot] ?? filled(frame, slot, fill), first), second), third);
  }
  const rest = steps.slice(4);
  return (frame) => {
    let value = frame.slots[slot] ?? filled(frame, slot, fill);
    value = read(read(read(read(value, first), second), third), fourth);
    for (let i = 0; i < rest.length; i++) value = read(value, rest[i] as FieldStep);
    return value;
  };
}

/** The value of an empty slot. Null is a value: `fill` is not called for it. */
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

/** Reads fields from a computed value. */
export function pathFromValue(start: Evaluate, steps: readonly FieldStep[]): Evaluate {
  if (steps.length === 0) return start;
  if (!steps.every(({ name }) => isSafeField(name))) return carefulPath(start, steps);
  return (frame) => {
    let value = start(frame);
    for (let i = 0; i < steps.length; i++) value = read(value, steps[i] as FieldStep);
    return value;
  };
}

/** Reads fields whose names might be mistaken for properties. */
function carefulPath(start: Evaluate, steps: readonly FieldStep[]): Evaluate {
  return (frame) => {
    let value = start(frame);
    for (const step of steps) value = readCarefully(value, step);
    return value;
  };
}
