import { actualValueText, checkOptionNames, optionError } from '@ashlar/core';

// What types refuse, plain JavaScript and values from outside let through: each call says what it was given and what it takes.

const SELECTORS = ['labelSelector', 'fieldSelector'];
const PAGE = [...SELECTORS, 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch'];
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation', 'signal'];

const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'preconditions',
  'orphanDependents',
  'propagationPolicy',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
];

type Call =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'select'
  | 'deleteSelected';

/** Options of each call. */
const OPTIONS: Readonly<Record<Call, readonly string[]>> = {
  get: ['resourceVersion', 'signal'],
  list: [...PAGE, 'signal'],
  watch: [...PAGE, 'bookmarks', 'timeoutSeconds', 'signal'],
  create: WRITE,
  update: WRITE,
  patch: WRITE,
  apply: [...WRITE, 'force'],
  delete: [...DELETE, 'signal'],
  select: [...SELECTORS, 'signal'],
  deleteSelected: DELETE,
};

const PATCH_TYPES = ['merge', 'strategic', 'json'];

/** A name of an object. @throws TypeError */
export function checkName(callee: string, name: unknown): void {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(`${callee} takes the name of an object, such as "a", not ${actualValueText(name)}`);
  }
}

/** The name of a namespace; an empty one is the entire cluster. @throws TypeError */
export function checkNamespace(callee: string, name: unknown): void {
  if (typeof name !== 'string') {
    throw new TypeError(
      `${callee} takes the name of a namespace, such as "default", not ${actualValueText(name)}`,
    );
  }
}

/** An object to create. @throws TypeError */
export function checkObject(callee: string, object: unknown): void {
  if (typeof object !== 'object' || object === null || Array.isArray(object) || isPromise(object)) {
    const example = "{ metadata: { name: 'a' }, … }";
    throw new TypeError(`${callee} takes an object, such as ${example}, not ${actualValueText(object)}`);
  }
}

/** An object that says its name. @throws TypeError */
export function checkNamedObject(callee: string, object: unknown): void {
  checkObject(callee, object);
  const { metadata } = object as { readonly metadata?: { readonly name?: unknown } };
  if (typeof metadata?.name !== 'string' || metadata.name === '') {
    throw new TypeError(
      `${callee} takes an object with metadata.name, which says what to write, not ${actualValueText(object)}`,
    );
  }
}

/** @throws TypeError */
export function checkPatch(callee: string, patch: unknown): void {
  const { type, patch: changes } = (patch ?? {}) as { readonly type?: unknown; readonly patch?: unknown };
  if (!PATCH_TYPES.includes(type as string)) {
    const example = "{ type: 'merge', patch: { … } }, where type may also be 'json' or 'strategic'";
    throw new TypeError(`${callee} takes a patch such as ${example}, not ${actualValueText(patch)}`);
  }
  const isList = Array.isArray(changes);
  if (type === 'json' && !isList) {
    throw optionError(
      callee,
      'patch',
      "a list of operations for the type json, such as [{ op: 'remove', path: '/spec/a' }]",
      changes,
    );
  }
  if (type !== 'json' && (typeof changes !== 'object' || changes === null || isList)) {
    throw optionError(callee, 'patch', `an object for the type ${type}`, changes);
  }
}

/** Names of options, selectors and limits. @throws TypeError */
export function checkCallOptions(callee: string, call: Call, options: unknown): void {
  if (options === undefined) return;
  checkOptionNames(callee, options, OPTIONS[call]);
  const values = options as Readonly<Record<string, unknown>>;
  for (const selector of SELECTORS) checkSelector(callee, selector, values[selector]);
  const { limit } = values;
  if (limit !== undefined && !Number.isInteger(limit)) {
    throw optionError(callee, 'limit', 'a whole number', limit);
  }
}

/** An apply says who applies. @throws TypeError */
export function checkApplyOptions(callee: string, options: unknown): void {
  const { fieldManager } = (options ?? {}) as { readonly fieldManager?: unknown };
  if (typeof fieldManager !== 'string') {
    throw optionError(
      callee,
      'fieldManager',
      'the name of who applies, such as "my-controller"',
      fieldManager,
    );
  }
  checkCallOptions(callee, 'apply', options);
}

/** A text, or a selector that becomes one. */
function checkSelector(callee: string, name: string, selector: unknown): void {
  if (selector === undefined || typeof selector === 'string') return;
  const becomesText =
    typeof selector === 'object' && selector !== null && selector.toString !== Object.prototype.toString;
  if (becomesText && !Array.isArray(selector)) return;
  const example = name === 'labelSelector' ? '"app=a,tier!=b"' : '"metadata.name=a"';
  throw optionError(callee, name, `a text such as ${example}`, selector);
}

const isPromise = (value: object): boolean => typeof (value as { then?: unknown }).then === 'function';
