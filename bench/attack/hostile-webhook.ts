import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SizedAttack, Target } from './attack.ts';
import { bodyRequest, DRY_MAPS } from './bodies.ts';
import { authorityOf, startBeside } from './served-beside.ts';

const JSON_TYPE = 'application/json';
/** Labels of a reviewed object: the webhook that it is for, and how large its response is to be. */
const NAME = 'name.attack.example.com';
const SIZE = 'size.attack.example.com';

/** A webhook that answers reviews with much. */
export interface HostileWebhook {
  readonly kind: 'Mutating' | 'Validating';
  readonly name: string;
  readonly sends: string;
  /** The smallest size. */
  readonly n: number;
  /** Members of the response of a size besides its uid, as JSON. */
  respond(n: number): string;
  /** Expected statuses of the reviewed requests. Default 201. */
  readonly statuses?: readonly number[];
}

/** An attack by a webhook: small creates, to which it responds in the sizes of the attack. */
export function byWebhook(webhook: HostileWebhook): SizedAttack {
  const { name, sends, n, statuses = [201] } = webhook;
  const request: SizedAttack['request'] = (size) => {
    const labels = { [NAME]: labelOf(name), [SIZE]: String(size) };
    const body = JSON.stringify({ metadata: { name: 'a', labels }, data: { a: 'b' } });
    const readBesides = webhook.respond(size).length;
    return { ...bodyRequest('POST', DRY_MAPS, JSON_TYPE, body), readBesides };
  };
  return {
    ...{ name, sends, n, statuses, request, caller: 'tenant' },
    async prepare(target) {
      const reviews = { count: 0 };
      await register(target, webhook, await start(target, webhook, reviews));
      for (let attempt = 0; reviews.count === 0; attempt++) {
        if (attempt === 100) throw new Error('the webhook is not called');
        const { headers = [], ...usual } = request(1, target);
        await target.send({ ...usual, headers: [target.credentials('tenant'), ...headers] });
      }
    },
  };
}

const labelOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** @returns the port on which it listens until the attacks have ended */
async function start(target: Target, webhook: HostileWebhook, reviews: { count: number }): Promise<number> {
  const responses = new Map<string, string>();
  const server = await startBeside(target, async (incoming, outgoing) => {
    reviews.count++;
    const { request } = JSON.parse(await text(incoming)) as Review;
    const size = request.object.metadata.labels[SIZE] ?? '';
    const members = responses.get(size) ?? webhook.respond(Number(size));
    responses.set(size, members);
    const head = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"${request.uid}"`;
    outgoing.writeHead(200, { 'content-type': JSON_TYPE }).end(`${head},${members}}}`);
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

interface Review {
  readonly request: {
    readonly uid: string;
    readonly object: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  };
}

/** Registers it for the objects of its attack. */
async function register(target: Target, { kind, name }: HostileWebhook, port: number): Promise<void> {
  const label = labelOf(name);
  const webhook = {
    name: `${label}.attack.example.com`,
    clientConfig: { url: `https://localhost:${port}/`, caBundle: authorityOf(target) },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { [NAME]: label } },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30 },
  };
  const { status, body } = await target.send({
    method: 'POST',
    path: `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`,
    headers: [target.credentials('operator'), `Content-Type: ${JSON_TYPE}`],
    body: JSON.stringify({ metadata: { name: label }, webhooks: [webhook] }),
  });
  if (status !== 201) throw new Error(`the webhook was answered ${status}: ${body.slice(0, 500)}`);
}
