// Service accounts: tokens that are asked for, what they say, whom they authenticate, and when they end to be valid.
import { createNamespace, variable, within } from '../scenarios/namespace.mjs';
import {
  ACCOUNTS,
  AUDIENCES,
  AUTHENTICATION,
  requestToken,
  withoutAbsent,
} from '../scenarios/token-requests.mjs';

const SECRETS = within('/api/v1', 'secrets');
const NAME_ANNOTATION = 'kubernetes.io/service-account.name';
const UID_ANNOTATION = 'kubernetes.io/service-account.uid';
const POD_SPEC = { serviceAccountName: 'robot', containers: [{ name: 'main', image: 'app:1' }] };
/** What tokens are bound to, by the name of the variables of its uid. */
const BOUND = {
  account: [ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }],
  secret: [SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, type: 'Opaque' }],
  pod: [
    within('/api/v1', 'pods'),
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'worker' }, spec: POD_SPEC },
  ],
};
const ACTIONS = { requestToken: 5, review: 4, use: 4, createTokenSecret: 1, erase: 0.8, change: 1 };

/** Tokens that were given; servers may remember for a while that one was valid. */
class Tokens {
  #all = [];
  #used = new Set();
  add(token) {
    this.#all.push(token);
  }
  /** One of them, sometimes with another signature, or none of them. */
  pick(r) {
    const token = this.#all.length > 0 && r.chance(0.85) ? r.pick(this.#all) : undefined;
    if (token === undefined) return r.pick(['wrong', 'a.b.c', 'alice-token']);
    this.#used.add(token);
    return r.chance(0.1) ? `${token}AAAA` : token;
  }
  forgetUsed() {
    this.#all = this.#all.filter((token) => !this.#used.has(token));
  }
}

export async function scenario(s) {
  const { r } = s;
  await createNamespace(s);
  for (const name of Object.keys(BOUND)) await create(s, name);
  const tokens = new Tokens();
  const actions = { requestToken, review, use, createTokenSecret, erase, change };
  for (let n = r.between(20, 35); n > 0; n--) await actions[r.weighted(ACTIONS)](s, tokens);
}

async function create(s, name) {
  const [path, body] = BOUND[name];
  await s.ask({ method: 'POST', path, body }, { as: name, about: `create ${name}` });
}

async function review(s, tokens) {
  const { r } = s;
  const audiences = r.chance(0.5) ? r.pick(AUDIENCES.slice(0, 5)) : undefined;
  const spec = withoutAbsent({ token: r.chance(0.95) ? tokens.pick(r) : '', audiences });
  const body = { apiVersion: AUTHENTICATION, kind: 'TokenReview', spec };
  const path = `/apis/${AUTHENTICATION}/tokenreviews`;
  await s.ask({ method: 'POST', path, body }, { about: 'create tokenreviews', state: false });
}

/** Calls with a token. */
async function use(s, tokens) {
  const { r } = s;
  const headers = {
    authorization: `Bearer ${tokens.pick(r)}`,
    ...(r.chance(0.1) && { 'impersonate-user': 'alice' }),
  };
  if (r.chance(0.4)) {
    const path = r.pick([SECRETS, `${ACCOUNTS}/robot`, '/api', '/version']);
    await s.ask({ path, headers }, { about: 'get with a token', opaque: true });
    return;
  }
  const path = `/apis/${AUTHENTICATION}/selfsubjectreviews`;
  const body = { apiVersion: AUTHENTICATION, kind: 'SelfSubjectReview' };
  await s.ask({ method: 'POST', path, headers, body }, { about: 'who am I', state: false });
}

/** A secret of the old kind; the controller that makes the token in it runs beside neither server. */
async function createTokenSecret(s) {
  const name = s.r.pick(['robot', 'missing', '', undefined]);
  const annotations = withoutAbsent({
    [NAME_ANNOTATION]: name,
    [UID_ANNOTATION]: s.r.chance(0.3) ? variable('account_uid') : undefined,
  });
  const metadata = { generateName: 'token-', annotations };
  const body = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token' };
  await s.ask({ method: 'POST', path: SECRETS, body }, { about: 'create a token secret' });
}

async function change(s) {
  const patch = s.r.pick([
    ...[{ secrets: [{ name: 'kept' }] }, { secrets: null }, { imagePullSecrets: [{ name: 'kept' }] }],
    ...[{ automountServiceAccountToken: false }, { automountServiceAccountToken: 'x' }],
    { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } },
  ]);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const request = { method: 'PATCH', path: `${ACCOUNTS}/robot`, headers, text: JSON.stringify(patch) };
  await s.ask(request, { as: 'account', about: 'patch serviceaccounts' });
}

/** Deletes what tokens are bound to, and often creates another of that name. */
async function erase(s, tokens) {
  const name = s.r.pick(Object.keys(BOUND));
  const [path, { metadata }] = BOUND[name];
  const query = { gracePeriodSeconds: '0', propagationPolicy: 'Background' };
  await s.ask({ method: 'DELETE', path: `${path}/${metadata.name}`, query }, { about: `delete ${name}` });
  if (s.r.chance(0.7)) await create(s, name);
  tokens.forgetUsed();
  // authenticators read what tokens are bound to from caches
  await new Promise((done) => setTimeout(done, 300));
}
