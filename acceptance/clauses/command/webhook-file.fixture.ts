import type { RemoteService } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';

/** The text of a client configuration file that leads to a service, with what else its user shows. */
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
