import { variable, within } from './namespace.mjs';

export const ACCOUNTS = within('/api/v1', 'serviceaccounts');
export const AUTHENTICATION = 'authentication.k8s.io/v1';
export const AUDIENCES = [
  ...[undefined, [], ['https://reference.local'], ['other'], ['other', 'https://reference.local']],
  ...[[''], 'text'],
];
/** What kubelets ask for is a duration of its own: such tokens are valid longer. */
const SECONDS = [undefined, 600, 601, 3607, 3607, 599, 0, -1, 2 ** 32, 2 ** 32 + 1, 'x', 1.5, null];
const BOUND = [
  ...[undefined, undefined, undefined, undefined],
  ['v1', 'Pod', 'worker', 'pod_uid'],
  ['v1', 'Pod', 'worker', 'pod_uid'],
  ['v1', 'Pod', 'worker', 'secret_uid'],
  ['v1', 'Pod', 'missing'],
  ['v1', 'Secret', 'kept', 'secret_uid'],
  ['v1', 'Secret', 'kept'],
  ['v1', 'Node', 'missing'],
  ['v1', 'ConfigMap', 'kept'],
  ['v2', 'Secret', 'kept'],
  ['', 'Secret', 'kept'],
  ['apps/v1', 'Deployment', 'kept'],
  ['a/b/c', 'Secret', 'kept'],
  ['a/b/c', 'Other', 'kept'],
  ['', '', ''],
];

export const withoutAbsent = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Asks for a token, and compares what it says instead of itself. */
export async function requestToken(s, tokens) {
  const { r } = s;
  const name = r.chance(0.95) ? 'robot' : 'missing';
  const query = r.chance(0.1) ? { dryRun: 'All' } : {};
  const asked = { method: 'POST', path: `${ACCOUNTS}/${name}/token`, query, body: tokenRequest(r) };
  const answers = await s.quietly(asked);
  const received = answers.map(({ raw }) => raw?.status?.token);
  if (received.every(Boolean)) tokens.add(remember(s, received));
  const [a, b] = answers.map((answer, i) => explained(s.views[i], answer));
  await s.judge({ request: asked, about: 'create serviceaccounts/token' }, a, b, undefined, true);
}

function tokenRequest(r) {
  const spec = withoutAbsent({
    audiences: r.pick(AUDIENCES),
    expirationSeconds: r.pick(SECONDS),
    boundObjectRef: bound(r.pick(BOUND)),
  });
  const metadata = r.chance(0.1) ? { name: r.pick(['robot', 'other']) } : {};
  const body = { apiVersion: AUTHENTICATION, kind: 'TokenRequest', metadata, spec };
  if (r.chance(0.05)) delete body.spec;
  return body;
}

function bound(chosen) {
  if (!chosen) return undefined;
  const [apiVersion, kind, name, uid] = chosen;
  return withoutAbsent({ apiVersion, kind, name, uid: uid && variable(uid) });
}

/** Gives the tokens of both servers one name; in texts they are left out. */
function remember(s, received) {
  const name = `token${s.history.length}`;
  s.views.forEach((view, i) => {
    view.variables[name] = received[i];
    view.generated.push(received[i]);
  });
  return variable(name);
}

/** The answer with the claims of its token. No request for a token is stored, so that its managed fields mean nothing. */
function explained(view, answer) {
  const { metadata, status } = answer.raw ?? {};
  if (!status?.token) return answer;
  const { managedFields, ...known } = metadata;
  const body = { ...answer.raw, metadata: known, status: { ...status, token: claimsOf(status.token) } };
  return { ...answer, body: view.normalise(body) };
}

/** What a token says; its times count from when it was issued. */
function claimsOf(token) {
  const { iat, exp, nbf, ...claims } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  const domain = ['kubernetes.io', 'orch.io'].find((name) => name in claims);
  const { [domain]: own, ...others } = claims;
  const { warnafter, ...bound } = own;
  const warned = warnafter === undefined ? undefined : warnafter - iat;
  return { ...others, own: bound, lifetime: exp - iat, begins: nbf - iat, warned };
}
