export { createSteppedClock, type SteppedClock } from './contracts/stepped-clock.ts';
export { type CountedList, createCountedList } from './json/counted-list.ts';
