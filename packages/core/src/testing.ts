export { createManualClock, type ManualClock } from './contracts/manual-clock.ts';
