export type { ObjectValidator } from './lib/object-validator.ts';
