/** A value that each server chose, in requests to it. */
export const variable = (name) => `\${${name}}`;

/** The name of the scenario's namespace. */
const NAMESPACE = variable('ns');

/** The path of a collection in it. */
export const within = (group, plural) => `${group}/namespaces/${NAMESPACE}/${plural}`;

export async function createNamespace(s) {
  const path = '/api/v1/namespaces';
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  s.made.push(`${path}/${NAMESPACE}`);
  await s.quietly({ method: 'POST', path, body });
}
