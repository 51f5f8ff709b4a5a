// What a thread begins with: it reads TypeScript as the process does that started it.
import { register } from 'tsx/esm/api';

register();
await import('./fuzz-worker.ts');
