export {
  createServerFixture,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from './create-test-server.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createSeededRandom } from './seeded-random.ts';
