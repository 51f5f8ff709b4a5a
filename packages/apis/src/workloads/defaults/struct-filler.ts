import type { JsonValue } from '@ashlar/core';
import { type Constant, isMissing } from './constant.ts';
import type { DefaultRule } from './default-rules.ts';
import type { Filler, PartFiller } from './filler.ts';
import type { Filling } from './filling.ts';
import { type Field, OrderedMembers } from './ordered-members.ts';

/** A field of objects or lists that have defaults. */
export interface Part {
  readonly name: string;
  readonly fill: PartFiller;
}

/** Of the many members that a type may have an object often has few: it costs no more than these, and what it gets. */
export function structFiller(
  order: readonly string[],
  rule: DefaultRule,
  constants: readonly Constant[],
  parts: readonly Part[],
): Filler {
  const fields = fieldsOf(order, constants, parts);
  return (value, filling) => {
    const ruled = rule(value);
    if (ruled !== value) filling.addNew(value, ruled);
    const members = new OrderedMembers();
    let isChanged = ruled !== value;
    for (const name in ruled) {
      const before = ruled[name];
      const field = before === undefined ? undefined : fields.get(name);
      if (!field) continue;
      const after = filledMember(field, before as JsonValue, filling);
      if (after !== before) isChanged = true;
      members.add(field, after);
    }
    for (const { name, value: missing, bytes } of constants) {
      if (ruled[name] !== undefined) continue;
      const field = fields.get(name) as Field;
      members.add(field, filledMember(field, missing, filling));
      filling.add(bytes);
      isChanged = true;
    }
    return isChanged ? members.toObject() : value;
  };
}

function fieldsOf(
  order: readonly string[],
  constants: readonly Constant[],
  parts: readonly Part[],
): ReadonlyMap<string, Field> {
  const constantOfName = new Map(constants.map((constant) => [constant.name, constant]));
  const fills = new Map(parts.map(({ name, fill }) => [name, fill]));
  return new Map(
    order.map((name, position) => [
      name,
      { name, position, constant: constantOfName.get(name), fill: fills.get(name) },
    ]),
  );
}

function filledMember({ constant, fill }: Field, before: JsonValue, filling: Filling): JsonValue {
  const value = constant && isMissing(before, constant) ? constant.value : before;
  return fill && value !== null ? fill(value, filling) : value;
}
