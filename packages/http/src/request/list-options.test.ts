import { fieldErrorText } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ListOptions, validateListOptions } from './list-options.ts';

const NEEDS_VERSION =
  'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided';
const NOT_WITH_CONTINUE =
  'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided';
const NEEDS_MATCH =
  'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
const NEEDS_INITIAL =
  'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';

const cases: readonly [ListOptions, readonly string[]][] = [
  [{}, []],
  [{ resourceVersion: '5', resourceVersionMatch: 'Exact' }, []],
  [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 1 }, []],
  [{ resourceVersionMatch: '' }, []],
  [{ resourceVersionMatch: 'Exact' }, [NEEDS_VERSION]],
  [{ resourceVersionMatch: 'Exact', continue: 'x' }, [NEEDS_VERSION, NOT_WITH_CONTINUE]],
  [
    { resourceVersionMatch: 'x', resourceVersion: '5' },
    ['resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""'],
  ],
  [
    { resourceVersionMatch: 'Exact', resourceVersion: '0' },
    ['resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
  ],
  [{ sendInitialEvents: false }, ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
  [{ watch: true }, []],
  [{ watch: true, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }, []],
  [{ watch: true, sendInitialEvents: true }, [NEEDS_MATCH]],
  [{ watch: true, resourceVersionMatch: 'NotOlderThan' }, [NEEDS_INITIAL]],
  [
    { watch: true, resourceVersionMatch: 'Exact', sendInitialEvents: false, continue: 'x' },
    [
      NEEDS_MATCH,
      'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
      NOT_WITH_CONTINUE,
    ],
  ],
];

describe('validateListOptions', () => {
  it.each(cases)('%j', (options, errors) => {
    expect(validateListOptions(options).map(fieldErrorText)).toEqual(errors);
  });
});
