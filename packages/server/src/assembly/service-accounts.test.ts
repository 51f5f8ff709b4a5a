import { expect, it } from 'vitest';
import { audiencesOf, type ServiceAccountOptions } from './service-accounts.ts';

it('a server is identified in tokens by its audiences, or by all issuers that it accepts', () => {
  const issuers = ['https://new.example', 'https://old.example'];
  const serviceAccounts = { issuers } as unknown as ServiceAccountOptions;
  expect(audiencesOf(undefined, serviceAccounts)).toEqual(issuers);
  expect(audiencesOf(['own'], serviceAccounts)).toEqual(['own']);
  expect(audiencesOf(undefined, undefined)).toEqual([]);
});
