import { expect, test } from 'vitest';
import { hasOrderedProgress, isSupportedVersion } from './etcd-version.ts';

test('hasReliableProgress accepts fixed versions', () => {
  const trusted = ['3.4.31', '3.4.40', '3.5.13', '3.5.16', '3.6.0-rc.1', '3.10.0', '4.0.0'];
  const others = ['3.4.23', '3.4.30', '3.5.0', '3.5.12', '3.3.99', '2.9.0', '', 'latest'];
  expect(trusted.map(hasOrderedProgress)).toEqual(trusted.map(() => true));
  expect(others.map(hasOrderedProgress)).toEqual(others.map(() => false));
});

test('isSupported accepts 3.4 and later', () => {
  expect(['3.4.0', '3.5.16', '3.10.1', '4.0.0'].every(isSupportedVersion)).toBe(true);
  expect(['3.3.27', '2.3.8', '', 'x'].some(isSupportedVersion)).toBe(false);
});
