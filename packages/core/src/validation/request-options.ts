import { type FieldError, FieldErrors, PrintedValue } from '../errors/field-error.ts';
import { goStringList } from '../text/go-text.ts';
import { choiceErrors } from './choice-errors.ts';
import { validateFieldManager } from './field-manager-name.ts';

/**
 * Options of every write (semantics/verbs#options). An empty `dryRun` parameter is not a dry run: the caller
 * omits it.
 */
export interface WriteOptions {
  /** `All` or empty. */
  readonly dryRun?: readonly string[];
}

/** Options of a create. */
export interface CreateOptions extends WriteOptions {
  readonly fieldManager?: string;
  /** `Ignore`, `Warn`, `Strict`; the empty string is `Warn`. */
  readonly fieldValidation?: string;
}

/** Options of an update. */
export type UpdateOptions = CreateOptions;

/** Options of a patch. */
export interface PatchOptions extends CreateOptions {
  /** Of an apply: takes ownership of fields from other managers. */
  readonly force?: boolean;
}

/** Preconditions of a delete. */
export interface DeletePreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Options of a delete (semantics/verbs#delete). */
export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: DeletePreconditions;
  readonly orphanDependents?: boolean;
  /** `Foreground`, `Background`, `Orphan`. */
  readonly propagationPolicy?: string;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];
const PROPAGATION_POLICIES = ['Foreground', 'Background', 'Orphan'];
const APPLY_TYPES = ['application/apply-patch+yaml', 'application/apply-patch+cbor'];
const UNSAFE_FIELD = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Validates the options of a create. */
export function validateCreateOptions(options: CreateOptions): readonly FieldError[] {
  return [
    ...validateFieldManager(options.fieldManager ?? ''),
    ...dryRunErrors(options.dryRun),
    ...fieldValidationErrors(options.fieldValidation ?? ''),
  ];
}

/** Validates the options of an update. */
export function validateUpdateOptions(options: UpdateOptions): readonly FieldError[] {
  return validateCreateOptions(options);
}

/**
 * Validates the options of a patch.
 * @param mediaType of the patch, without parameters: apply requires a manager, and only apply may be forced
 */
export function validatePatchOptions(options: PatchOptions, mediaType: string): readonly FieldError[] {
  return [...applyErrors(options, APPLY_TYPES.includes(mediaType)), ...validateCreateOptions(options)];
}

function applyErrors({ fieldManager = '', force }: PatchOptions, isApply: boolean): FieldError[] {
  if (isApply) {
    return fieldManager === '' ? [FieldErrors.required('fieldManager', 'is required for apply patch')] : [];
  }
  return force === undefined
    ? []
    : [FieldErrors.forbidden('force', 'may not be specified for non-apply patch')];
}

function dryRunErrors(dryRun: readonly string[] = []): FieldError[] {
  if (dryRun.every((value) => value === 'All')) return [];
  return [FieldErrors.notSupported('dryRun', new PrintedValue(goStringList(dryRun)), ['All'])];
}

function fieldValidationErrors(value: string): readonly FieldError[] {
  return choiceErrors('fieldValidation', value, FIELD_VALIDATIONS);
}

/** Validates the options of a delete (semantics/verbs#delete, semantics/status#situations). */
export function validateDeleteOptions(options: DeleteOptions): readonly FieldError[] {
  return [...propagationErrors(options), ...dryRunErrors(options.dryRun), ...unsafeErrors(options)];
}

function propagationErrors({ orphanDependents, propagationPolicy: policy }: DeleteOptions): FieldError[] {
  if (policy === undefined) return [];
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(FieldErrors.invalid('propagationPolicy', policy, why));
  }
  if (!PROPAGATION_POLICIES.includes(policy)) {
    errors.push(FieldErrors.notSupported('propagationPolicy', policy, [...PROPAGATION_POLICIES, 'nil']));
  }
  return errors;
}

function unsafeErrors(options: DeleteOptions): FieldError[] {
  if (!options.ignoreStoreReadErrorWithClusterBreakingPotential) return [];
  const others = [
    ...(options.dryRun && options.dryRun.length > 0 ? ['dryRun'] : []),
    ...(['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const).filter(
      (name) => options[name] !== undefined,
    ),
  ];
  return others.map((name) =>
    FieldErrors.invalid(UNSAFE_FIELD, true, `cannot be set together with .${name}`),
  );
}
