import type { Vocabulary } from '@ashlar/core';
import { vi } from 'vitest';
import type { RemoteIssuer } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import type { ServedCommand } from './served-command.fixture.ts';

/** How one issuer is described; what is omitted is as tests usually want it. */
export interface IssuerParts {
  readonly issuer?: object;
  readonly claimMappings?: object;
  readonly claimValidationRules?: readonly object[];
  readonly userValidationRules?: readonly object[];
}

/** An entry of `jwt` that takes the tokens of an issuer under their subjects. */
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

/** Who a token is of, once the server has found who issues such tokens. */
export const whoOnceFound = (server: ServedCommand, token: string): Promise<unknown> =>
  vi.waitFor(
    async () => {
      const user = await server.who({ token });
      if (user === 401) throw new Error(`the token is not known: ${server.stderr}`);
      return user;
    },
    { timeout: 60_000 },
  );
