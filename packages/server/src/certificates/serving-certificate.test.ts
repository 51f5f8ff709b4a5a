import { expect, it } from 'vitest';
import { createServingCertificate, type ServingCertificateOptions } from '../index.ts';

it.each<[object, string]>([
  [
    { hosts: 'api.example.com' },
    `option "hosts" of createServingCertificate must be a list of names, such as ['api.example.com'], not "api.example.com"`,
  ],
  [{ host: ['a'] }, 'createServingCertificate has no option "host": did you mean "hosts"?'],
])('rejects %j', async (options, message) => {
  await expect(createServingCertificate(options as ServingCertificateOptions)).rejects.toThrow(message);
});
