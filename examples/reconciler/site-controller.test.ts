import { orchVocabulary } from '@ashlar/core';
import { testSiteController } from './site-controller.fixture.ts';
import { createSiteController } from './site-controller.ts';

testSiteController(
  'a controller with the client of Ashlar',
  orchVocabulary,
  async (server, domains, onError) =>
    createSiteController({ client: server.client, ambient: server, domains, onError }),
);
