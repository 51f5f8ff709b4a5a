export {
  createServerFixture,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from './lib/create-test-server.ts';
export { createManualClock, type ManualClock } from './lib/manual-clock.ts';
export { createSeededRandom } from './lib/seeded-random.ts';
