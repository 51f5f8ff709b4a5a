import type { JsonPieces, LoggedEvent } from './logged-event.ts';

/** An event of a read. */
export const READ: LoggedEvent = {
  ...{ level: 'RequestResponse', auditID: 'id', stage: 'ResponseComplete' },
  ...{ requestURI: '/api/v1/namespaces/default/pods/a', verb: 'get' },
  user: { username: 'alice', groups: ['dev', 'a "b"'] },
  ...{ sourceIPs: ['10.0.0.1', '10.0.0.2'], userAgent: 'kubectl/1' },
  objectRef: { resource: 'pods', namespace: 'default', name: 'a', apiVersion: 'v1' },
  responseStatus: { metadata: {}, code: 200 },
  requestReceivedTimestamp: '2024-01-02T03:04:05.000000Z',
  stageTimestamp: '2024-01-02T03:04:05.000100Z',
  annotations: { b: '2', a: '1' },
};

/** A JSON value in two pieces. */
export const inPieces = (value: unknown): JsonPieces => {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return [bytes.subarray(0, 3), bytes.subarray(3)];
};
