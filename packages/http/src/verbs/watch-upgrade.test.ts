import { decodeCbor, decodeProtobufEvent } from '@ashlar/codec';
import type { MessageKind, MessageSocket, ServerResponse } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const TOKEN = 'base64url.bearer.authorization.orch.io.YQ';

/** One end of a connection whose other end the test holds. */
class FakeSocket implements MessageSocket {
  readonly messages: { readonly bytes: Uint8Array; readonly kind: MessageKind }[] = [];
  buffered = 0;
  ending: string | undefined;
  readonly #closing: (() => void)[] = [];

  send(bytes: Uint8Array, kind: MessageKind): boolean {
    this.messages.push({ bytes, kind });
    return true;
  }
  onMessage(): void {}
  onDrain(): void {}
  onClose(call: () => void): void {
    this.#closing.push(call);
  }
  close(code = 1000): void {
    this.ending ??= `closed ${code}`;
    this.leave();
  }
  destroy(): void {
    this.ending ??= 'cut';
    this.leave();
  }
  leave(): void {
    for (const call of this.#closing.splice(0)) call();
  }
  get texts(): string[] {
    return this.messages.map(({ bytes }) => new TextDecoder().decode(bytes));
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

async function ask(
  api: TestApi,
  query: string,
  { accept = 'application/json', protocols = [] }: { accept?: string; protocols?: readonly string[] } = {},
): Promise<{ response: ServerResponse; socket: FakeSocket }> {
  const request = { headers: { accept }, webSocket: { protocols } };
  const response = await api.handler(toRequest('GET', `${NOTES}?${query}`, request));
  const socket = new FakeSocket();
  response.upgrade?.open(socket);
  await settled();
  return { response, socket };
}

async function withNote(): Promise<TestApi> {
  const api = createTestApi({ encodings: { cbor: true } });
  await api.ask('POST', NOTES, { metadata: { name: 'a' } });
  return api;
}

describe('a watch over a WebSocket', () => {
  it('sends each event as a text message, with its line end', async () => {
    const api = await withNote();
    const { response, socket } = await ask(api, 'watch=1');
    expect([response.status, response.body, response.upgrade?.protocol]).toEqual([101, undefined, undefined]);
    await api.ask('POST', NOTES, { metadata: { name: 'b' } });
    await settled();
    expect(socket.messages.map(({ kind }) => kind)).toEqual(['text', 'text']);
    expect(socket.texts.map((text) => JSON.parse(text).object.metadata.name)).toEqual(['a', 'b']);
    expect(socket.texts.every((text) => text.endsWith('}\n'))).toBe(true);
  });

  it('sends binary formats as binary messages, without a length prefix', async () => {
    const api = await withNote();
    const protobuf = await ask(api, 'watch=1', { accept: 'application/vnd.orch.protobuf' });
    expect(protobuf.socket.messages).toHaveLength(1);
    for (const { bytes, kind } of protobuf.socket.messages)
      expect([kind, decodeProtobufEvent(bytes).type]).toEqual(['binary', 'ADDED']);
    const cbor = await ask(api, 'watch=1', { accept: 'application/cbor' });
    expect(cbor.socket.messages).toHaveLength(1);
    for (const { bytes, kind } of cbor.socket.messages)
      expect([kind, decodeCbor(bytes).value]).toMatchObject(['binary', { type: 'ADDED' }]);
  });

  it('ends with a normal closure after its timeout', async () => {
    const api = await withNote();
    const { socket } = await ask(api, 'watch=1&timeoutSeconds=5');
    api.clock.advance(4999);
    expect(socket.ending).toBeUndefined();
    api.clock.advance(1);
    expect(socket.ending).toBe('closed 1000');
  });

  it('stops when its caller disconnects', async () => {
    const api = await withNote();
    const { socket } = await ask(api, 'watch=1');
    socket.leave();
    await api.ask('POST', NOTES, { metadata: { name: 'b' } });
    await settled();
    expect(socket.messages).toHaveLength(1);
  });

  it('sends failures as events', async () => {
    const api = await withNote();
    const query = 'watch=1&resourceVersion=900&sendInitialEvents=1&resourceVersionMatch=NotOlderThan';
    const { socket } = await ask(api, query);
    api.clock.advance(3000);
    await settled();
    expect(JSON.parse(socket.texts.at(-1) ?? '')).toMatchObject({ type: 'ERROR', object: { code: 504 } });
    expect(socket.ending).toBe('closed 1000');
  });
});

describe('its sub-protocol', () => {
  it('is the one offered beside the token', async () => {
    const api = await withNote();
    const spoken = async (...protocols: string[]): Promise<string | undefined> =>
      (await ask(api, 'watch=1', { protocols })).response.upgrade?.protocol;
    expect(await spoken('a')).toBe('a');
    expect(await spoken(TOKEN, 'a')).toBe('a');
    expect(await spoken(TOKEN)).toBeUndefined();
  });

  it('cannot be several', async () => {
    const { response } = await ask(await withNote(), 'watch=1', { protocols: ['a', TOKEN, 'b'] });
    expect([response.status, response.upgrade]).toEqual([400, undefined]);
  });
});

describe('upgrade requests', () => {
  it('are answered without an upgrade unless they are a valid watch', async () => {
    const api = await withNote();
    expect((await ask(api, 'limit=1')).response).toMatchObject({ status: 200, upgrade: undefined });
    const yaml = await ask(api, 'watch=1', { accept: 'application/yaml' });
    expect(yaml.response.status).toBe(406);
    expect((await ask(api, 'watch=1&timeoutSeconds=x')).response.status).toBe(400);
  });
});
