import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { clientConfigurationFor } from '@ashlar/server';
import { testSiteController } from './site-controller.fixture.ts';
import type { SiteControllerOptions } from './site-controller.ts';

interface OfficialOptions extends Omit<SiteControllerOptions, 'client'> {
  readonly configuration: string;
}
interface OfficialModule {
  createOfficialSiteController(options: OfficialOptions): Promise<AsyncDisposable>;
}

// the official client speaks HTTP, so each test has a listener; its types are left to those who install it
const module = new URL('official-site-controller.mjs', import.meta.url).href;
const { createOfficialSiteController } = (await import(module)) as OfficialModule;

testSiteController(
  'a controller with the official client',
  kubernetesVocabulary,
  async (server, domains, onError) => {
    const listener = await listen(server.handler, { port: 0 });
    const controller = await createOfficialSiteController({
      configuration: clientConfigurationFor({ server: listener.url }),
      ambient: server,
      domains,
      onError,
    });
    return {
      async [Symbol.asyncDispose]() {
        await controller[Symbol.asyncDispose]();
        await listener.close();
      },
    };
  },
);
