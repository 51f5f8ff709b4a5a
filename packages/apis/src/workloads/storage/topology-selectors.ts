import {
  doneSteps,
  type FieldError,
  FieldErrors,
  MAXIMUM_FIELD_ERRORS,
  qualifiedNameErrors,
  type Steps,
  sortSteps,
  type Vocabulary,
} from '@ashlar/core';
import { firstWarnings } from '../../types/first-warnings.ts';
import { eachSteps, follows, NO_ERRORS, required } from '../field-rules.ts';
import { nodeLabelWarning } from '../pods/node-label-warnings.ts';

interface TopologyRequirement {
  readonly key?: string;
  readonly values?: readonly string[] | null;
}

/** Values of labels that a place must have. */
export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologyRequirement[];
}

/** Terms and requirements that are checked between two pauses. */
const CHECKED_PER_STEP = 256;
/** Texts that are written in one piece. */
const WRITTEN_PER_STEP = 4096;

/** Errors of where volumes of a class can be, with pauses: there may be terms by the ten thousand. */
export function* topologiesErrorsSteps(
  given: readonly TopologySelectorTerm[] | undefined,
  path: string,
): Steps<readonly FieldError[]> {
  const terms = given ?? [];
  // the reference compares with as many empty terms as there are terms
  const repeats = new Map([[EMPTY, terms.length]]);
  const errors: FieldError[] = [];
  for (const [index, term] of terms.entries()) {
    const at = `${path}[${index}].matchLabelExpressions`;
    const labels = new Map<string, ReadonlySet<string>>();
    errors.push(...(yield* requirementsErrorsSteps(term.matchLabelExpressions ?? [], at, labels)));
    // one term is at most equal to the empty one
    if (terms.length > 1 || labels.size === 0) {
      const text = yield* termTextSteps(labels);
      const before = repeats.get(text) ?? 0;
      repeats.set(text, before + 1);
      // a response lists no more
      const length = Math.min(before, MAXIMUM_FIELD_ERRORS + 1);
      errors.push(...Array.from({ length }, () => FieldErrors.duplicate(at, '')));
    }
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % CHECKED_PER_STEP === CHECKED_PER_STEP - 1) yield;
  }
  return errors;
}

/** @param labels gets the values of the requirements, by key */
function* requirementsErrorsSteps(
  requirements: readonly TopologyRequirement[],
  path: string,
  labels: Map<string, ReadonlySet<string>>,
): Steps<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, { key = '', values }] of requirements.entries()) {
    const at = `${path}[${index}]`;
    const different = new Set<string>();
    errors.push(...(yield* valuesErrorsSteps(values ?? [], `${at}.values`, different)));
    errors.push(...follows(`${at}.key`, key, qualifiedNameErrors));
    if (labels.has(key)) errors.push(FieldErrors.duplicate(`${at}.key`, key));
    labels.set(key, different);
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % CHECKED_PER_STEP === CHECKED_PER_STEP - 1) yield;
  }
  return errors;
}

/** @param different gets the values */
function valuesErrorsSteps(
  values: readonly string[],
  path: string,
  different: Set<string>,
): Steps<readonly FieldError[]> {
  if (values.length < 2) {
    for (const value of values) different.add(value);
    return doneSteps(required(path, values));
  }
  return eachSteps(path, values, (value, at) => {
    const isRepeated = different.has(value);
    different.add(value);
    return isRepeated ? [FieldErrors.duplicate(at, value)] : NO_ERRORS;
  });
}

/** Texts of Warning headers about deprecated labels of places. */
export function topologyWarnings(
  terms: readonly TopologySelectorTerm[],
  vocabulary: Vocabulary,
): readonly string[] {
  return firstWarnings(terms.entries(), ([term, { matchLabelExpressions = [] }]) =>
    firstWarnings(matchLabelExpressions.entries(), ([index, { key = '' }]) => {
      const why = nodeLabelWarning(key, vocabulary);
      return why === undefined
        ? []
        : [`allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${why}`];
    }),
  );
}

/** A text that is the same for equal terms. */
function* termTextSteps(labels: ReadonlyMap<string, ReadonlySet<string>>): Steps<string> {
  const texts: string[] = [];
  for (const [key, values] of labels) texts.push(`${JSON.stringify(key)}${yield* textOfSteps([...values])}`);
  return yield* textOfSteps(texts);
}

/** A text that is the same for equal texts in any order. They are sorted. */
function* textOfSteps(texts: string[]): Steps<string> {
  if (texts.length > 1) yield* sortSteps(texts, (a, b) => (a < b ? -1 : 1));
  const pieces: string[] = [];
  for (let at = 0; at < texts.length; at += WRITTEN_PER_STEP) {
    if (at > 0) yield;
    pieces.push(JSON.stringify(texts.slice(at, at + WRITTEN_PER_STEP)));
  }
  return pieces.join('');
}

const EMPTY = '';
