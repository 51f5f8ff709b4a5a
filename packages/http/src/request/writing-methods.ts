/** Methods of requests that have a body, of which clients send the length also if it is empty. */
export const WRITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
