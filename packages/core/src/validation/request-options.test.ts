import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../errors/field-error.ts';
import {
  validateCreateOptions,
  validateDeleteOptions,
  validatePatchOptions,
  validateUpdateOptions,
} from './request-options.ts';

const APPLY = 'application/apply-patch+yaml';
const UNSAFE = 'ignoreStoreReadErrorWithClusterBreakingPotential';

describe('options of writes', () => {
  it('may be absent', () => {
    expect(validateCreateOptions({})).toEqual([]);
    expect(
      validateUpdateOptions({ dryRun: ['All', 'All'], fieldManager: 'm', fieldValidation: 'Strict' }),
    ).toEqual([]);
  });

  it('are rejected in the order manager, dry run, field validation', () => {
    const options = { fieldManager: `${'ü'.repeat(64)}\n`, dryRun: ['All', 'x'], fieldValidation: 'strict' };
    expect(validateCreateOptions(options).map(fieldErrorText)).toEqual([
      'fieldManager: Too long: may not be more than 128 bytes',
      `fieldManager: Invalid value: "${'ü'.repeat(64)}\\n": invalid character U+000A (at position 128)`,
      'dryRun: Unsupported value: []string{"All", "x"}: supported values: "All"',
      'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    ]);
  });

  it('require a manager for an apply, and force only that', () => {
    expect(validatePatchOptions({ force: true }, APPLY).map(fieldErrorText)).toEqual([
      'fieldManager: Required value: is required for apply patch',
    ]);
    expect(validatePatchOptions({ force: true, fieldManager: 'm' }, 'application/apply-patch+cbor')).toEqual(
      [],
    );
    expect(
      validatePatchOptions({ force: false }, 'application/merge-patch+json').map(fieldErrorText),
    ).toEqual(['force: Forbidden: may not be specified for non-apply patch']);
  });
});

describe('options of deletes', () => {
  it('accept one way to set the propagation policy', () => {
    expect(validateDeleteOptions({ propagationPolicy: 'Foreground' })).toEqual([]);
    expect(
      validateDeleteOptions({ propagationPolicy: 'x', orphanDependents: false }).map(fieldErrorText),
    ).toEqual([
      'propagationPolicy: Invalid value: "x": orphanDependents and deletionPropagation cannot be both set',
      'propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"',
    ]);
  });

  it('accept nothing else with the unsafe one', () => {
    const options = {
      [UNSAFE]: true,
      preconditions: {},
      gracePeriodSeconds: 0,
      orphanDependents: true,
      propagationPolicy: 'Orphan',
      dryRun: ['All'],
    };
    const names = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'];
    expect(validateDeleteOptions(options).slice(1).map(fieldErrorText)).toEqual(
      names.map((name) => `${UNSAFE}: Invalid value: true: cannot be set together with .${name}`),
    );
    expect(validateDeleteOptions({ ...options, [UNSAFE]: false })).toHaveLength(1);
    expect(validateDeleteOptions({ [UNSAFE]: true, dryRun: [] })).toEqual([]);
  });
});
