import { errorMessage } from './error-message.ts';

/** Errors that were printed, by whichever part of the program. */
const printed = new WeakSet<object>();

/** The request of an error, as far as it is printed. */
interface FailedRequest {
  readonly method: string;
  readonly url: string;
}

/**
 * Returns what is called with errors if a host names nothing else: it prints them with `console.error`, with stack and cause, the request
 * if there is one, and the part of the program. An error is printed once, however many parts report it, and one that comes again and
 * again, such as that of a retry, only when its text changes.
 * @param part as in `informer`
 */
export function printErrors(part: string): (error: unknown, about?: unknown) => void {
  let last = '';
  return (error, about) => {
    if (typeof error === 'object' && error !== null) {
      if (printed.has(error)) return;
      printed.add(error);
    }
    const text = `ashlar: ${part}${requestText(about)}:`;
    const line = `${text} ${errorMessage(error)}`;
    if (line === last) return;
    last = line;
    console.error(text, error);
  };
}

function requestText(about: unknown): string {
  if (typeof about !== 'object' || about === null) return '';
  const { method, url } = about as Partial<FailedRequest>;
  return typeof method === 'string' && typeof url === 'string' ? ` ${method} ${url}` : '';
}
