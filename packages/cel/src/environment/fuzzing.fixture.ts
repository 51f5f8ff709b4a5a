import fc from 'fast-check';
import { PlanError } from '../plan/plan.ts';
import type { Evaluation } from '../plan/program.ts';
import { toJson } from '../values/to-json.ts';
import type { Environment } from './environment.ts';
import { bindings, environment, expressionText, sensibleText } from './expressions.fixture.ts';

const COST_LIMIT = 10_000;
/** A single call may pass the limit by what it works on, which the data bound. */
const MAXIMUM_COST_OF_A_CALL = 1_000_000;

const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => new TextDecoder().decode(array));
const SOUP =
  '( ) [ ] { } . , : ? ! - + * / % && || == < in has all map x object numbers name " \' 0 1u 2.5 b" r\' """ ` \\ // \n é 😀'.split(
    ' ',
  );
const soup = fc.array(fc.constantFrom(...SOUP), { maxLength: 25 }).map((parts) => parts.join(' '));

/** Texts made by the grammar, cut and mixed, and texts made by chance. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: expressionText, weight: 5 },
  { arbitrary: sensibleText, weight: 3 },
  { arbitrary: soup, weight: 2 },
  { arbitrary: bytes, weight: 1 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  {
    arbitrary: fc
      .tuple(expressionText, expressionText, fc.nat(100))
      .map(([a, b, at]) => a.slice(0, at) + b.slice(at)),
    weight: 2,
  },
);

function unchecked(within: Environment, source: string): Evaluation | undefined {
  const parsed = within.parse(source);
  if (!parsed.ok) return undefined;
  try {
    return within.program(parsed.expression).evaluate(bindings, { costLimit: COST_LIMIT });
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}

function isSound(result: Evaluation | undefined): boolean {
  if (!result) return true;
  if (!(result.cost >= 0 && result.cost <= COST_LIMIT + MAXIMUM_COST_OF_A_CALL)) return false;
  if (!result.ok) return result.error.message !== '';
  JSON.stringify(toJson(result.value));
  return result.cost <= COST_LIMIT;
}

/** The property that every text evaluates to a value within the budget, or to an error with a message and position. */
export const findFault: fc.IProperty<[string]> = fc.property(text, (source) => {
  const compiled = environment.compile(source);
  if (!compiled.ok && compiled.stage !== 'plan') {
    const placed = compiled.issues.every(
      ({ message, position }) => message !== '' && position <= source.length,
    );
    if (!placed || compiled.issues.length === 0) return false;
  }
  const checked = compiled.ok ? compiled.program.evaluate(bindings, { costLimit: COST_LIMIT }) : undefined;
  return isSound(checked) && isSound(unchecked(environment, source));
});
