import { systemNamespace } from '@ashlar/core';
import type { AccessServer } from './access-server.fixture.ts';

/** The default data of a token's secret; undefined removes a field. */
interface BootstrapTokenParts {
  readonly namespace?: string;
  readonly type?: string;
  readonly name?: string;
  readonly data?: Readonly<Record<string, string | undefined>>;
}

/** Stores the secret of the token `abcdef.0123456789abcdef`. */
export async function storeBootstrapToken(
  { api, root }: AccessServer,
  parts: BootstrapTokenParts = {},
): Promise<void> {
  const { labelDomain } = api.vocabulary;
  const {
    namespace = systemNamespace(api.vocabulary, 'system'),
    type = `bootstrap.${labelDomain}/token`,
    name = 'bootstrap-token-abcdef',
  } = parts;
  const stringData = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...parts.data,
  };
  const secret = { metadata: { name }, type, stringData };
  const { status, text } = await root.post(`/api/v1/namespaces/${namespace}/secrets`, secret);
  if (status !== 201) throw new Error(text);
}
