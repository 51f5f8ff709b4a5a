export { applyYaml } from './apply-yaml.ts';
export {
  createServerFixture,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from './create-test-server.ts';
export { type ExpectedPolicies, type ExpectPoliciesOptions, expectPolicies } from './expect-policies.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createSeededRandom, type SeededRandom } from './seeded-random.ts';
export { type WaitOptions, waitFor } from './wait-for.ts';
