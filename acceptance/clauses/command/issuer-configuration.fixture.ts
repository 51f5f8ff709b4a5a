import type { Vocabulary } from '@ashlar/core';
import { vi } from 'vitest';
import type { RemoteIssuer } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import type { ServedCommand } from './served-command.fixture.ts';

/** The configuration of one issuer, with defaults of tests. */
export interface IssuerParts {
  readonly issuer?: object;
  readonly claimMappings?: object;
  readonly claimValidationRules?: readonly object[];
  readonly userValidationRules?: readonly object[];
}

/** An entry of `jwt` that authenticates the tokens of an issuer by their subjects. */
export const jwtOf = (
  { url, certificates }: Pick<RemoteIssuer, 'url' | 'certificates'>,
  { issuer, claimMappings, ...rest }: IssuerParts = {},
): object => ({
  issuer: {
    ...{ url, audiences: ['server'], certificateAuthority: certificates.certificateAuthority },
    ...issuer,
  },
  claimMappings: { username: { claim: 'sub', prefix: '' }, ...claimMappings },
  ...rest,
});

/** The text of a configuration file. */
export const authenticationConfiguration = ({ groupDomain }: Vocabulary, content: object): string =>
  JSON.stringify({
    apiVersion: `apiserver.config.${groupDomain}/v1beta1`,
    kind: 'AuthenticationConfiguration',
    ...content,
  });

/** The user of a token, once discovery has succeeded. */
export const whoOnceFound = (server: ServedCommand, token: string): Promise<unknown> =>
  vi.waitFor(
    async () => {
      const user = await server.who({ token });
      if (user === 401) throw new Error(`the token is not known: ${server.stderr}`);
      return user;
    },
    { timeout: 60_000 },
  );
