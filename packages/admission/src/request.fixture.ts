import type { AdmissionRequest } from './admission-request.ts';

/** A request for a page in the namespace `x`, with fields of the test. */
export function requestFor(changes: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    operation: 'CREATE',
    resource: { group: '', version: 'v1', resource: 'pages' },
    kind: { group: '', version: 'v1', kind: 'Page' },
    subresource: '',
    namespace: 'x',
    name: 'a',
    user: { name: 'alice', groups: [] },
    dryRun: false,
    warn: () => {},
    annotate: () => {},
    ...changes,
  };
}
