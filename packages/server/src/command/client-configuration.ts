import type { ServerIdentity } from './storage/server-identity.ts';

/** Returns a kubeconfig for the administrator of one server, as JSON, which is valid YAML. */
export function clientConfiguration(server: string, { certificateAuthority, token }: ServerIdentity): string {
  const authority = Buffer.from(certificateAuthority).toString('base64');
  const configuration = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'ashlar', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'ashlar', context: { cluster: 'ashlar', user: 'admin' } }],
    'current-context': 'ashlar',
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}
