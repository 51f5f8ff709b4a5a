import {
  type FieldError,
  goTextMapSyntax,
  type LabelSelector,
  type LabelSelectorObject,
  ParseError,
  printedBy,
  type Steps,
  toLabelSelector,
  toLabelSelectorSteps,
} from '@ashlar/core';
import type { PodTemplateSpec } from './core/pod-types.ts';
import { invalidWhen } from './field-rules.ts';

/** The labels of a template must match the selector of its owner. */
export function selectedErrors(
  selector: Parameters<typeof toLabelSelector>[0],
  template: PodTemplateSpec | undefined,
  path: string,
): readonly FieldError[] {
  const wanted = compiledSelector(selector);
  const labels = labelsOf(template);
  return unselectedWhen(wanted !== undefined && !wanted.isEmpty && !isMatch(wanted, labels), template, path);
}

/** What was last found out about a selector. */
const found: WeakMap<LabelSelector, { readonly labels: Labels; readonly isMatch: boolean }> = new WeakMap();

function isMatch(selector: LabelSelector, labels: Labels): boolean {
  const known = found.get(selector);
  if (known?.labels === labels) return known.isMatch;
  const isMatch = selector.matches(labels);
  found.set(selector, { labels, isMatch });
  return isMatch;
}

/** The same of a selector of labels alone, which need not be valid ones; with pauses where there are many. */
export function* labelledErrorsSteps(
  selector: Labels,
  template: PodTemplateSpec | undefined,
  path: string,
): Steps<readonly FieldError[]> {
  const labels = labelsOf(template);
  // by default the labels are the selector
  if (selector === labels) return [];
  let count = 0;
  for (const key in selector) {
    if (++count % MANY_REQUIREMENTS === 0) yield;
    const isOther = !Object.hasOwn(labels, key) || labels[key] !== selector[key];
    if (isOther) return unselectedWhen(true, template, path);
  }
  return [];
}

type Labels = Readonly<Record<string, string>>;

const labelsOf = (template: PodTemplateSpec | undefined): Labels => template?.metadata?.labels ?? {};

function unselectedWhen(
  isOther: boolean,
  template: PodTemplateSpec | undefined,
  path: string,
): readonly FieldError[] {
  if (!isOther) return [];
  const labels = printedBy(labelsOf(template), () => goTextMapSyntax(template?.metadata?.labels));
  return invalidWhen(true, `${path}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

/** Compiled selectors of objects that are being validated: several checks ask. */
const compiled: WeakMap<object, LabelSelector | undefined> = new WeakMap();

/** The compiled selector; undefined if it is malformed, which its own check reports. */
export function compiledSelector(selector: Parameters<typeof toLabelSelector>[0]): LabelSelector | undefined {
  if (!selector) return toLabelSelector(selector);
  if (!compiled.has(selector)) compiled.set(selector, compile(selector));
  return compiled.get(selector);
}

/** Requirements from which on a selector is compiled in a turn of its own. */
const MANY_REQUIREMENTS = 1024;

/** Compiles a selector of very many requirements ahead, and compares it with a template, with pauses between. */
export function* compileSelectorSteps(
  selector: LabelSelectorObject | null | undefined,
  template: PodTemplateSpec | undefined,
): Steps<void> {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const values = matchExpressions.reduce((sum, expression) => sum + 1 + (expression.values?.length ?? 0), 0);
  if (values + Object.keys(matchLabels).length < MANY_REQUIREMENTS) return;
  if (!selector || compiled.has(selector)) return;
  yield;
  const wanted = yield* compileSteps(selector);
  compiled.set(selector, wanted);
  yield;
  if (wanted) isMatch(wanted, labelsOf(template));
  yield;
}

function* compileSteps(selector: LabelSelectorObject): Steps<LabelSelector | undefined> {
  try {
    return yield* toLabelSelectorSteps(selector);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}

function compile(selector: LabelSelectorObject): LabelSelector | undefined {
  try {
    return toLabelSelector(selector);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}
