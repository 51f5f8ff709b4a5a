import { DEFAULT_SERVICE_ACCOUNT } from '@ashlar/apis';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { startNamespaceLoop } from '../namespaces/namespace-loop.ts';

/**
 * Creates the service account `default` in every active namespace, and again when it is deleted (semantics/access#service-accounts).
 * @example
 * const controller = createServiceAccountController({ client, ambient });
 * controller.start();
 */
export function createServiceAccountController(options: ControllerOptions): Controller {
  const { client } = options;
  const name = DEFAULT_SERVICE_ACCOUNT;
  const resource = client.resource({
    ...{ group: '', version: 'v1', resource: 'serviceaccounts', kind: 'ServiceAccount' },
  });
  return controllerOfLoop(() =>
    startNamespaceLoop({
      ...{ ...options, resource, name },
      ensure: async (accounts, existing) => existing ?? accounts.create({ metadata: { name } }),
    }),
  );
}
