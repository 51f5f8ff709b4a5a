import type { TransportRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { textResponse } from '../client/fake-api.fixture.ts';
import { createCredentialTransport } from './credential-transport.ts';
import type { CredentialSource, Credentials } from './credentials.ts';

/** Returns one after the other, each until it is rejected. */
class Wallet implements CredentialSource {
  readonly #cards: readonly Credentials[];
  asked = 0;
  #at = 0;

  constructor(...cards: readonly Credentials[]) {
    this.#cards = cards;
  }

  async current(): Promise<Credentials> {
    this.asked++;
    return this.#cards[Math.min(this.#at, this.#cards.length - 1)] as Credentials;
  }

  reject(credentials: Credentials): void {
    if (credentials === this.#cards[this.#at]) this.#at++;
  }
}

/** A server that accepts one authorization, or any. */
function serverOf(good?: string) {
  const seen: TransportRequest[] = [];
  const request = async (_url: string, each: TransportRequest) => {
    seen.push(each);
    const { authorization } = each.headers ?? {};
    return textResponse(String(authorization), good === undefined || authorization === good ? 200 : 401);
  };
  return { seen, transport: { request } };
}

const POST = { method: 'POST', body: new Uint8Array([1]) };

describe('a transport with credentials', () => {
  it('adds them to the headers of a request', async () => {
    const { transport, seen } = serverOf();
    const card = { authorization: 'Bearer a', certificate: 'C', key: 'K' };
    const tls = { certificateAuthorities: 'CA', serverName: 'n' };
    const own = createCredentialTransport({
      ...{ transport, tls, source: new Wallet(card) },
      headers: { 'impersonate-user': 'x' },
    });
    await own.request('https://h', { ...POST, headers: { accept: 'a' }, tls: { serverName: 'other' } });
    expect(seen).toEqual([
      {
        ...POST,
        headers: { accept: 'a', 'impersonate-user': 'x', authorization: 'Bearer a' },
        tls: { certificateAuthorities: 'CA', serverName: 'other', certificate: 'C', key: 'K' },
      },
    ]);
  });

  it('does not touch a request with its own authorization', async () => {
    const { transport, seen } = serverOf();
    const source = new Wallet({ authorization: 'Bearer a', certificate: 'C', key: 'K' });
    const headers = { 'impersonate-user': 'zoe' };
    const own = createCredentialTransport({ transport, source, headers });
    await own.request('https://h', { ...POST, headers: { authorization: 'Bearer mine' } });
    expect(source.asked).toBe(0);
    expect(seen).toMatchObject([{ headers: { authorization: 'Bearer mine' } }]);
    expect([seen[0]?.headers?.['impersonate-user'], seen[0]?.tls]).toEqual([undefined, undefined]);
  });

  it('retries a request with other credentials after a 401, including the body', async () => {
    const { transport, seen } = serverOf('Bearer new');
    const source = new Wallet({ authorization: 'Bearer old' }, { authorization: 'Bearer new' });
    const own = createCredentialTransport({ transport, source });
    expect((await own.request('https://h', POST)).status).toBe(200);
    expect(seen.map(({ headers, body }) => [headers?.authorization, body])).toEqual([
      ['Bearer old', POST.body],
      ['Bearer new', POST.body],
    ]);
    expect((await own.request('https://h', POST)).status).toBe(200);
    expect(seen).toHaveLength(3);
  });

  it('returns the 401 if there are no others', async () => {
    const { transport, seen } = serverOf('Bearer none');
    const same = { authorization: 'Bearer a' };
    const own = createCredentialTransport({ transport, source: new Wallet(same, { ...same }) });
    const response = await own.request('https://h', POST);
    expect([response.status, new TextDecoder().decode(await response.body())]).toEqual([401, 'Bearer a']);
    expect(seen).toHaveLength(1);
  });

  it('sends twice at most, and reports the second rejection', async () => {
    const { transport, seen } = serverOf('Bearer c');
    const [a, b, c] = ['a', 'b', 'c'].map((token) => ({ authorization: `Bearer ${token}` }));
    const own = createCredentialTransport({
      transport,
      source: new Wallet(a as Credentials, b as Credentials, c as Credentials),
    });
    expect((await own.request('https://h', POST)).status).toBe(401);
    expect((await own.request('https://h', POST)).status).toBe(200);
    expect(seen.map(({ headers }) => headers?.authorization)).toEqual(['Bearer a', 'Bearer b', 'Bearer c']);
  });

  it('drains a 401 that it does not return, so that its connection is free', async () => {
    let read = 0;
    const request = async () => {
      const response = textResponse('no', 401);
      return {
        ...response,
        body: () => {
          read++;
          return response.body();
        },
      };
    };
    const cards = [{ authorization: 'Bearer a' }, { authorization: 'Bearer b' }];
    const renewing = createCredentialTransport({ transport: { request }, source: new Wallet(...cards) });
    await renewing.request('https://h', POST);
    expect(read).toBe(1);
    let asked = 0;
    const source = {
      current: async () => {
        if (++asked > 1) throw new Error('no more');
        return cards[0] as Credentials;
      },
      reject: () => {},
    };
    const failing = createCredentialTransport({ transport: { request }, source });
    await expect(failing.request('https://h', POST)).rejects.toThrow('no more');
    expect(read).toBe(2);
  });

  it('does not delay a request that is aborted', async () => {
    const { transport, seen } = serverOf();
    let asked = 0;
    const source = {
      current: () => {
        asked++;
        return new Promise<Credentials>(() => {});
      },
      reject: () => {},
    };
    const own = createCredentialTransport({ transport, source });
    const controller = new AbortController();
    const waiting = own.request('https://h', { ...POST, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(own.request('https://h', { ...POST, signal: controller.signal })).rejects.toThrow('enough');
    expect([asked, seen]).toEqual([1, []]);
  });
});
