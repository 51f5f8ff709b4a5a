import type { RemoteService } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';

/** The text of a kubeconfig file of a service, with further credentials of its user. */
export const webhookFile = ({ url, certificates }: RemoteService, user: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'other', cluster: { server: 'https://127.0.0.1:1' } },
      {
        name: 'service',
        cluster: {
          server: `${url}/review`,
          'certificate-authority-data': Buffer.from(certificates.certificateAuthority).toString('base64'),
        },
      },
    ],
    users: [{ name: 'server', user }],
    contexts: [
      { name: 'elsewhere', context: { cluster: 'other', user: 'server' } },
      { name: 'here', context: { cluster: 'service', user: 'server' } },
    ],
    'current-context': 'here',
  });
