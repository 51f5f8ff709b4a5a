export { createManualClock, type ManualClock } from './lib/manual-clock.ts';
