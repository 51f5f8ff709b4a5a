export { createSteppedClock, type SteppedClock } from './contracts/stepped-clock.ts';
