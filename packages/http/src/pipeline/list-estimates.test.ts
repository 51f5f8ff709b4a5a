import { expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { ListEstimates } from './list-estimates.ts';

const seatsOf = (estimates: ListEstimates, url: string, maximum = 10): number | undefined =>
  estimates.of(parseRequestInfo('GET', url))?.(maximum).seats;

const LIST = '/api/v1/namespaces/a/configmaps';

it('needs a seat for a hundred objects, up to the maximum of a level', () => {
  const estimates = new ListEstimates();
  expect(seatsOf(estimates, LIST)).toBeUndefined();
  estimates.note(parseRequestInfo('GET', LIST), 450);
  expect(seatsOf(estimates, LIST)).toBe(5);
  expect(seatsOf(estimates, LIST, 3)).toBe(3);
  expect(seatsOf(estimates, `${LIST}?limit=150`)).toBe(2);
  expect(seatsOf(estimates, `${LIST}?watch=1&sendInitialEvents=true`)).toBe(5);
});

it('needs one for an object, for a watch of changes, and for other collections', () => {
  const estimates = new ListEstimates();
  estimates.note(parseRequestInfo('GET', LIST), 450);
  expect(seatsOf(estimates, `${LIST}/x`)).toBeUndefined();
  expect(seatsOf(estimates, `${LIST}?watch=1`)).toBeUndefined();
  expect(seatsOf(estimates, '/api/v1/namespaces/b/configmaps')).toBeUndefined();
});

it('learns nothing from selections, objects and later pages', () => {
  const estimates = new ListEstimates();
  estimates.note(parseRequestInfo('GET', LIST), 450);
  for (const query of ['fieldSelector=metadata.name%3Dx', 'labelSelector=a', 'continue=x'])
    estimates.note(parseRequestInfo('GET', `${LIST}?${query}`), 1);
  estimates.note(parseRequestInfo('GET', LIST), undefined);
  expect(seatsOf(estimates, LIST)).toBe(5);
  estimates.note(parseRequestInfo('GET', LIST), 100);
  expect(seatsOf(estimates, LIST)).toBeUndefined();
});

it('remembers a thousand collections', () => {
  const estimates = new ListEstimates();
  for (let i = 0; i <= 1_000; i++)
    estimates.note(parseRequestInfo('GET', `/api/v1/namespaces/n${i}/pods`), 1_000);
  expect(seatsOf(estimates, '/api/v1/namespaces/n0/pods')).toBeUndefined();
  expect(seatsOf(estimates, '/api/v1/namespaces/n1/pods')).toBe(10);
  expect(seatsOf(estimates, '/api/v1/namespaces/n1000/pods')).toBe(10);
});
