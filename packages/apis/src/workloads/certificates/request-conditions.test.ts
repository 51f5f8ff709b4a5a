import { fieldErrorText } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { conditionChangeErrors, conditionErrors } from './request-conditions.ts';
import type { SigningRequest } from './signing-request-types.ts';

const request = (...types: readonly string[]): SigningRequest =>
  ({ status: { conditions: types.map((type) => ({ type, status: 'True' })) } }) as unknown as SigningRequest;
const errors = (object: SigningRequest, stored: SigningRequest): readonly string[] =>
  conditionErrors(object, stored).map(fieldErrorText);
const changes = (object: SigningRequest, stored: SigningRequest): readonly string[] =>
  conditionChangeErrors(object, stored, ['Approved', 'Denied']).map(fieldErrorText);
const exclusive = (index: number, type: string): string =>
  `status.conditions[${index}].type: Invalid value: "${type}": Approved and Denied conditions are mutually exclusive`;

describe('conditions of a signing request', () => {
  it('have different types', () => {
    expect(errors(request('Approved', 'Approved', 'x', 'x'), request())).toEqual([
      'status.conditions[1].type: Duplicate value: "Approved"',
      'status.conditions[3].type: Duplicate value: "x"',
    ]);
  });

  it('approve or deny', () => {
    expect(errors(request('Approved', 'Denied', 'Denied'), request())).toEqual([
      exclusive(1, 'Denied'),
      exclusive(2, 'Denied'),
      'status.conditions[2].type: Duplicate value: "Denied"',
    ]);
    expect(errors(request('Denied', 'Approved'), request())).toEqual([exclusive(1, 'Approved')]);
  });

  it('may be as wrong as the stored ones', () => {
    const wrong = request('Approved', 'Denied', 'Denied', '');
    expect(errors(wrong, wrong)).toEqual([]);
    expect(errors(request('', ''), request())).toHaveLength(3);
  });

  it('are not taken away or, by some, added', () => {
    expect(changes(request(), request('Failed', 'x'))).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
    ]);
    expect(changes(request('Approved', 'Approved', 'Failed'), request('Approved'))).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
  });
});
