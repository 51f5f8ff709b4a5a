// Setup of a thread: it loads TypeScript as its parent process does.
import { register } from 'tsx/esm/api';

register();
await import('./fuzz-worker.ts');
