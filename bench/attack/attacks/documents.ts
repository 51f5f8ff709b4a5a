import type { Attack, SizedAttack } from '../attack.ts';

/** Documents created on request, as clients request them; sizes are ignored. */
function document(name: string, path: string, ...headers: readonly string[]): SizedAttack {
  return {
    name,
    sends: `GET ${path} ${headers.join(' ')}`,
    caller: 'user',
    n: 1,
    request: (n) => ({ path: `${path}${path.includes('?') ? '&' : '?'}n=${n}`, headers }),
    bounds: { cpuMilliseconds: 100 },
  };
}

const PROTOBUF_V2 = 'Accept: application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const PROTOBUF_V3 = 'Accept: application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const TABLE = 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io';

export const attacks: readonly Attack[] = [
  document('OpenAPI v2', '/openapi/v2'),
  document('OpenAPI v2 not cached', '/openapi/v2', 'Cache-Control: no-cache', 'If-None-Match: "0"'),
  document('OpenAPI v2 in gzip', '/openapi/v2', 'Accept-Encoding: gzip'),
  document('OpenAPI v2 in Protobuf', '/openapi/v2', PROTOBUF_V2),
  document('OpenAPI v3', '/openapi/v3'),
  document('OpenAPI v3 of a group', '/openapi/v3/api/v1'),
  document('OpenAPI v3 in Protobuf', '/openapi/v3/api/v1', PROTOBUF_V3),
  document('OpenAPI v3 in gzip', '/openapi/v3/api/v1', 'Accept-Encoding: gzip'),
  document('OpenAPI v3 by a hash', '/openapi/v3/api/v1?hash=0'),
  document(
    'discovery',
    '/apis',
    'Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  ),
  document('metrics', '/metrics'),
  document('roles as a table', '/apis/rbac.authorization.k8s.io/v1/clusterroles', TABLE),
];
