import { rootCertificateMap } from '@ashlar/apis';
import type { ApiObject } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { startNamespaceLoop } from '../namespaces/namespace-loop.ts';

export interface RootCertificatePublisherOptions extends ControllerOptions {
  /** CA certificate of the server's certificate, PEM. */
  readonly certificateAuthority: string;
}

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const KEY = 'ca.crt';

/**
 * Maintains a config map with the CA certificate of the server in every active namespace:
 * `<prefix>-root-ca.crt`, which the token volumes of pods include, too (semantics/access#service-accounts).
 * @example
 * const controller = createRootCertificatePublisher({ client, ambient, certificateAuthority });
 * controller.start();
 */
export function createRootCertificatePublisher(options: RootCertificatePublisherOptions): Controller {
  const { client, ambient, certificateAuthority } = options;
  const name = rootCertificateMap(ambient.vocabulary);
  const data = { [KEY]: certificateAuthority };
  const resource = client.resource<ConfigMap>({
    ...{ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
  });
  return controllerOfLoop(() =>
    startNamespaceLoop({
      ...{ ...options, resource, name },
      async ensure(maps, existing) {
        if (!existing) await maps.create({ metadata: { name }, data });
        else if (!isSame(existing.data, certificateAuthority)) await maps.update({ ...existing, data });
      },
    }),
  );
}

const isSame = (current: ConfigMap['data'] = {}, certificateAuthority: string): boolean =>
  Object.keys(current).length === 1 && current[KEY] === certificateAuthority;
