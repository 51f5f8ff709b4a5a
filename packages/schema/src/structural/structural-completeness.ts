import { type FieldError, FieldErrors, type Steps } from '@ashlar/core';
import type { SchemaDocument } from '../convert/schema-document.ts';
import { TaskStack } from '../convert/task-stack.ts';

/**
 * Fields and items of a combination of the root that the schema does not have
 * (semantics/schemas#structural-rules). Combinations of inner fields are not checked.
 */
export function* completenessErrorsSteps(schema: SchemaDocument, path: string): Steps<readonly FieldError[]> {
  const found: Findings = { errors: [], tasks: new TaskStack() };
  checkCombinations(schema, { schema, path }, path, found);
  yield* found.tasks.runSteps();
  return found.errors;
}

interface Findings {
  readonly errors: FieldError[];
  /** Checks of parts that are still to be made. */
  readonly tasks: TaskStack;
}

/** The part of the schema proper that corresponds to a part of a combination. */
interface Counterpart {
  readonly schema: SchemaDocument | undefined;
  readonly path: string;
}

function checkCombinations(
  part: SchemaDocument,
  counterpart: Counterpart,
  path: string,
  found: Findings,
): void {
  const not = part.schema('not');
  if (not) checkPart(not, counterpart, `${path}.not`, found);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, each] of part.schemas(keyword).entries()) {
      checkPart(each, counterpart, `${path}.${keyword}[${index}]`, found);
    }
  }
}

function checkPart(part: SchemaDocument, counterpart: Counterpart, path: string, found: Findings): void {
  found.tasks.add(() => checkPartAndChildren(part, counterpart, path, found));
}

function checkPartAndChildren(
  part: SchemaDocument,
  counterpart: Counterpart,
  path: string,
  found: Findings,
): void {
  const { schema } = counterpart;
  if (!schema) {
    found.errors.push(FieldErrors.required(counterpart.path, `because it is defined in ${path}`));
    return;
  }
  checkCombinations(part, counterpart, path, found);
  const items = part.schema('items');
  const itemsCounterpart = { schema: schema.schema('items'), path: `${counterpart.path}.items` };
  if (items) checkPart(items, itemsCounterpart, `${path}.items`, found);
  for (const [name, each] of part.named('properties')) {
    const property = { schema: schema.property(name), path: `${counterpart.path}.properties[${name}]` };
    checkPart(each, property, `${path}.properties[${name}]`, found);
  }
}
