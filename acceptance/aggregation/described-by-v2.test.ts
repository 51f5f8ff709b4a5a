import { expect, it } from 'vitest';
import { startBackend, startFront } from './front.fixture.ts';

const document = {
  swagger: '2.0',
  info: { title: 'backend', version: 'v1' },
  paths: {
    '/apis/example.com/v1/things': {
      post: {
        consumes: ['application/json'],
        produces: ['application/json'],
        parameters: [{ name: 'body', in: 'body', schema: { $ref: '#/definitions/com.example.v1.Thing' } }],
        responses: { 201: { description: 'Created' } },
      },
    },
  },
  definitions: { 'com.example.v1.Thing': { type: 'object' } },
};

it('a server that has OpenAPI v2 only is described in v3 by the one in front of it', async () => {
  await using front = await startFront();
  using backend = await startBackend((socket) => socket.end(), { '/openapi/v2': document });
  await front.register('v1', backend.port);
  const get = async (path: string): Promise<Response> => front.ask(path);
  const address = async (): Promise<string | undefined> => {
    const { paths } = (await (await get('/openapi/v3')).json()) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    return paths['apis/example.com/v1']?.serverRelativeURL;
  };
  await expect.poll(address).toMatch(/^\/openapi\/v3\/apis\/example\.com\/v1\?hash=[0-9A-F]{128}$/);

  const response = await get((await address()) as string);
  expect(response.headers.get('cache-control')).toBe('public, immutable');
  expect(await response.json()).toEqual({
    openapi: '3.0.0',
    info: document.info,
    paths: {
      '/apis/example.com/v1/things': {
        post: {
          requestBody: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/com.example.v1.Thing' } },
            },
          },
          responses: { 201: { description: 'Created' } },
        },
      },
    },
    components: { schemas: { 'com.example.v1.Thing': { type: 'object' } } },
  });

  // v2 has what the server says, once
  const v2 = (await (await get('/openapi/v2')).json()) as typeof document;
  expect(v2.paths['/apis/example.com/v1/things']).toEqual(document.paths['/apis/example.com/v1/things']);
  expect(v2.definitions['com.example.v1.Thing']).toEqual({ type: 'object' });
});
