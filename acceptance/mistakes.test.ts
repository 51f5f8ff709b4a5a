// What newcomers do wrong, in plain JavaScript and with values from outside: one sentence names what was given, and what to do.
import { createServer } from 'node:http';
import { format } from 'node:util';
import { defineResource } from '@ashlar/apis';
import { createStaticTokens, parseTokenFile } from '@ashlar/authn';
import {
  createClient,
  createInformer,
  createWorkQueue,
  keyOf,
  parseClientConfiguration,
  webAmbient,
} from '@ashlar/client';
import { loadConnection } from '@ashlar/client-node';
import { kubernetesVocabulary } from '@ashlar/core';
import { createNodeTransport, listen, nodeAmbient } from '@ashlar/http-node';
import {
  type ApiServerOptions,
  clientConfigurationFor,
  createTableStorage,
  type TableRow,
} from '@ashlar/server';
import { applyYaml, createTestServer, type TestServer, waitFor } from '@ashlar/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

// biome-ignore lint/suspicious/noExplicitAny: mistakes are what types would refuse
type Wrong = any;

const sites = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: z.object({ domain: z.string() }),
  status: z.object({ phase: z.string() }),
});
const site = { metadata: { name: 'a' }, spec: { domain: 'a' } };

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ resources: [sites] });
});
afterAll(() => server.close());

/** The message of an error that is thrown, at once or later. */
async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

describe('calls of a client', () => {
  const here = (): Wrong => server.client.resource(sites).namespace('default');
  const list = (options: Wrong): Wrong => here().list(options);
  it.each<[string, () => unknown, string]>([
    [
      'apply without options',
      () => here().apply(site),
      'option "fieldManager" of sites.apply must be the name of who applies, such as "my-controller", not undefined',
    ],
    [
      'apply without a name',
      () => here().apply({ spec: {} }, { fieldManager: 'a' }),
      'sites.apply takes an object with metadata.name, which says what to write, not an object with the members spec',
    ],
    [
      'update without metadata',
      () => here().update({ spec: {} }),
      'sites.update takes an object with metadata.name, which says what to write, not an object with the members spec',
    ],
    [
      'update of a promise',
      () => here().update(Promise.resolve(site)),
      "sites.update takes an object, such as { metadata: { name: 'a' }, … }, not a promise: await it first",
    ],
    [
      'create of a text',
      () => here().create('kind: Site'),
      'sites.create takes an object, such as { metadata: { name: \'a\' }, … }, not "kind: Site"',
    ],
    [
      'get without a name',
      () => here().get(),
      'sites.get takes the name of an object, such as "a", not undefined',
    ],
    [
      'get of an object',
      () => here().get(site),
      'sites.get takes the name of an object, such as "a", not an object with the members metadata, spec',
    ],
    [
      'delete of an object',
      () => here().delete(site),
      'sites.delete takes the name of an object, such as "a", not an object with the members metadata, spec',
    ],
    [
      'status of nothing',
      () => here().status.get(''),
      'sites.status.get takes the name of an object, such as "a", not ""',
    ],
    [
      'a patch without its type',
      () => here().patch('a', { spec: {} }),
      "sites.patch takes a patch such as { type: 'merge', patch: { … } }, where type may also be 'json' or 'strategic', not an object with the members spec",
    ],
    [
      'a JSON patch that is an object',
      () => here().patch('a', { type: 'json', patch: {} }),
      "option \"patch\" of sites.patch must be a list of operations for the type json, such as [{ op: 'remove', path: '/spec/a' }], not an object with no members",
    ],
    [
      'a merge patch that is a list',
      () => here().patch('a', { type: 'merge', patch: [] }),
      'option "patch" of sites.patch must be an object for the type merge, not an array',
    ],
    [
      'a namespace that is missing',
      () => here().namespace(undefined),
      'sites.namespace takes the name of a namespace, such as "default", not undefined',
    ],
    [
      'labels as an object',
      () => list({ labelSelector: { app: 'a' } }),
      'option "labelSelector" of sites.list must be a text such as "app=a,tier!=b", not an object with the members app',
    ],
    [
      'fields as a list',
      () => list({ fieldSelector: ['metadata.name=a'] }),
      'option "fieldSelector" of sites.list must be a text such as "metadata.name=a", not an array',
    ],
    ['an option that there is not', () => list({ labels: 'a=b' }), 'sites.list has no option "labels"'],
    [
      'a limit that is a text',
      () => list({ limit: 'ten' }),
      'option "limit" of sites.list must be a whole number, not "ten"',
    ],
    [
      'a watch with a wrong option',
      () => here().watch({ since: '5' }).next(),
      'sites.watch has no option "since"',
    ],
    [
      'a wrong plural',
      () => server.client.resource({ group: 'example.com', version: 'v1', resource: 'site' }).list(),
      'example.com/v1 has no resource "site", did you mean "sites"?',
    ],
    [
      'a wrong version',
      () => server.client.resource({ group: 'example.com', version: 'v2', resource: 'sites' }).list(),
      'group example.com is served in v1, not in "v2"',
    ],
    [
      'a manifest of another version',
      () => here().create({ ...site, apiVersion: 'example.com/v2', kind: 'Site' }),
      'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    ],
    [
      'a subresource that there is not',
      () => here().subresource('scale').get('a'),
      'sites of example.com/v1 have no subresource "scale"',
    ],
  ])('%s', async (_mistake, work, message) => {
    expect(await messageOf(work)).toContain(message);
  });
});

describe('parts of a client', () => {
  const queue = (): Wrong => createWorkQueue({ ambient: server });
  const client = (changes: object): Wrong =>
    createClient({
      transport: createNodeTransport(),
      baseUrl: 'http://127.0.0.1:1',
      ambient: nodeAmbient(kubernetesVocabulary),
      ...changes,
    });
  it.each<[string, () => unknown, string]>([
    [
      'an informer of a definition',
      () => createInformer(sites as Wrong),
      'createInformer takes a resource of a client, such as client.resource(definition), not an object with the members group',
    ],
    [
      'an informer of nothing',
      () => createInformer(undefined as Wrong),
      'createInformer takes a resource of a client, such as client.resource(definition), not undefined',
    ],
    [
      'a wrong selector of an informer',
      () => createInformer(server.client.resource(sites), { selector: 'a' } as Wrong),
      'createInformer has no option "selector"',
    ],
    [
      'a handler of another library',
      () =>
        createInformer(server.client.resource(sites), { onError() {} }).addHandler({ onAdd() {} } as Wrong),
      'informer.addHandler takes an object with some of the functions added, updated and deleted, not an object with the members onAdd',
    ],
    [
      'a queue without a clock',
      () => createWorkQueue({} as Wrong),
      'option "ambient" of createWorkQueue must be something with a clock, such as nodeAmbient(vocabulary) or a test server, not undefined',
    ],
    [
      'an object as a key',
      () => queue().add(site),
      'a work queue takes keys, such as keyOf(object), not an object with the members metadata, spec',
    ],
    ['work that is no function', () => queue().run(), 'queue.run takes a function of a key, not undefined'],
    ['the key of a name', () => keyOf('a' as Wrong), 'keyOf takes an object with metadata, not "a"'],
    [
      'fetch as a transport',
      () => client({ transport: fetch }),
      'option "transport" of createClient must be a transport, such as createNodeTransport() or createFetchTransport(), not a function',
    ],
    [
      'an address without a scheme',
      () => client({ baseUrl: '127.0.0.1:8080' }),
      'option "baseUrl" of createClient must be a URL, such as "https://127.0.0.1:6443", not "127.0.0.1:8080"',
    ],
    [
      'no ambient',
      () => client({ ambient: undefined }),
      'option "ambient" of createClient must be an ambient, such as nodeAmbient(kubernetesVocabulary), not undefined',
    ],
    [
      'a vocabulary that is a text',
      () => nodeAmbient('kubernetes' as Wrong),
      'nodeAmbient takes a vocabulary, such as kubernetesVocabulary of @ashlar/core, not "kubernetes"',
    ],
    [
      'no vocabulary in a browser',
      () => webAmbient(undefined as Wrong),
      'webAmbient takes a vocabulary, such as kubernetesVocabulary of @ashlar/core, not undefined',
    ],
    [
      'a configuration that is a text',
      () => parseClientConfiguration('kind: Config' as Wrong),
      'parseClientConfiguration takes the bytes of a file, such as those of readFile(path), not "kind: Config"',
    ],
    [
      'a configuration without a URL',
      () => clientConfigurationFor({ server: '127.0.0.1:6443' }),
      'option "server" of clientConfigurationFor must be a URL, such as "https://127.0.0.1:6443", not "127.0.0.1:6443"',
    ],
  ])('%s', async (_mistake, work, message) => {
    expect(await messageOf(work)).toContain(message);
  });
});

describe('tests', () => {
  it.each<[string, () => unknown, string]>([
    [
      'waiting for nothing',
      () => waitFor(server.client.resource(sites), undefined as Wrong),
      'waitFor takes a function that says whether an object is as wanted, not undefined',
    ],
    [
      'waiting for a definition',
      () => waitFor(sites as Wrong, () => true),
      'waitFor takes a resource of a client first, not an object with the members group',
    ],
    [
      'waiting with a wrong option',
      () => waitFor(server.client.resource(sites), () => true, { timeout: 5 } as Wrong),
      'waitFor has no option "timeout"',
    ],
    [
      'YAML for a client',
      () => applyYaml(server.client as Wrong, 'kind: Site'),
      'applyYaml takes a server first, not an object with the members resource, request, open',
    ],
    [
      'YAML that is an object',
      () => applyYaml(server, site as Wrong),
      'applyYaml takes the text of a YAML file, not an object with the members metadata, spec',
    ],
    [
      'a user who is a text',
      () => server.clientAs('anna' as Wrong),
      'clientAs takes an object with options, not "anna"',
    ],
    [
      'a time that is a text',
      () => server.clock.advance('1s' as Wrong),
      'clock.advance takes a number of milliseconds, not "1s"',
    ],
    [
      'a time before now',
      () => server.clock.advance(-1),
      'clock.advance takes a number of milliseconds, not -1',
    ],
    [
      'a plugin without handles',
      () => createTestServer({ admission: [{ name: 'a', validate() {} }] } as unknown as ApiServerOptions),
      'option "admission[0]" of createApiServer must be a plugin { name, handles, admit or validate }, of which all but the name are functions, not an object with the members name, validate',
    ],
    [
      'a plugin that is a function',
      () => createTestServer({ admission: [() => {}] } as Wrong),
      'option "admission[0]" of createApiServer must be a plugin { name, handles, admit or validate }, of which all but the name are functions, not a function',
    ],
  ])('%s', async (_mistake, work, message) => {
    expect(await messageOf(work)).toContain(message);
  });

  it('a server that has been closed', async () => {
    const closed = await createTestServer({ resources: [sites] });
    const resource = closed.client.resource(sites);
    await closed.close();
    expect(await messageOf(() => resource.list())).toBe('the server has been closed, and its client with it');
  });
});

describe('a server', () => {
  const wrong = (options: Wrong): Wrong => createTestServer(options);
  it.each<[string, () => unknown, string]>([
    [
      'an authorizer that nobody returns',
      () => wrong({ authorizer: () => {} }),
      'option "authorizer" of createApiServer must be a function that returns an object with authorize, and it returned undefined',
    ],
    [
      'an authenticator that nobody returns',
      () => wrong({ authenticator: () => undefined }),
      'option "authenticator" of createApiServer must be a function that returns an object with authenticate, and it returned undefined',
    ],
    [
      'a definition that is missing',
      () => server.serve(undefined as Wrong),
      'option "definition" of serve must be a definition of defineResource, not undefined',
    ],
    [
      'a text to fetch',
      () => server.fetch('/version' as Wrong),
      'fetch of a server takes a Request, such as new Request(\'http://server/version\'), not "/version"',
    ],
    [
      'paths in place of PEM',
      () => listen(server.handler, { port: 0, tls: { certificate: './a.pem', key: './b.pem' } }),
      'option "tls.certificate" of listen must be PEM, the content of a file and not its path, not a text without "-----BEGIN "',
    ],
    [
      'a token file that is no text',
      () => parseTokenFile({} as Wrong),
      'parseTokenFile takes the text of a file, not an object with no members',
    ],
    [
      'tokens that are a text',
      () => createStaticTokens('a' as Wrong, server.clock as Wrong),
      'createStaticTokens takes a list of tokens, such as parseTokenFile(text).tokens, not "a"',
    ],
    [
      'tokens without randomness',
      () => createStaticTokens([], undefined as Wrong),
      'createStaticTokens takes a source of randomness, such as ambient.random, not undefined',
    ],
    [
      'the path of a configuration',
      () => loadConnection('/a/config' as Wrong),
      'option "ambient" of loadConnection must be an ambient, such as nodeAmbient(kubernetesVocabulary), not undefined',
    ],
    [
      'an object that contains itself',
      () => {
        const spec: Wrong = { domain: 'a' };
        spec.self = spec;
        return server.client
          .resource(sites)
          .namespace('default')
          .create({ metadata: { name: 'a' }, spec });
      },
      'a value that contains itself cannot be encoded',
    ],
  ])('%s', async (_mistake, work, message) => {
    expect(await messageOf(work)).toContain(message);
  });

  it('an authorizer that answers true: nobody is let in, and the log says why', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    await using own = await createTestServer({ authorizer: () => ({ authorize: () => true as Wrong }) });
    const anna = own.clientAs({ name: 'anna' });
    const list = anna.resource({ group: '', version: 'v1', resource: 'configmaps' }).list();
    expect(await messageOf(() => list)).toContain('an authorizer failed');
    const causes = print.mock.calls.map((values) => format(...values));
    print.mockRestore();
    expect(causes.join(' ')).toContain(
      "an authorizer returns { decision: 'allow' }, 'deny' or 'no-opinion', not true",
    );
  });

  it('a web page in place of an API server', async () => {
    const pages = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const { port } = pages.address() as { port: number };
    const baseUrl = `http://127.0.0.1:${port}`;
    const transport = createNodeTransport();
    const client = createClient({ transport, baseUrl, ambient: nodeAmbient(kubernetesVocabulary) });
    expect(await messageOf(() => client.resource(sites).list())).toBe(
      `the response to GET /apis/example.com/v1/sites is no JSON: is there an API server at ${baseUrl}?`,
    );
    transport.close();
    pages.close();
  });
});

describe('definitions', () => {
  /** Creates an object of a type with a `validate`; returns what the caller gets, and what is printed. */
  async function created(validate: Wrong): Promise<readonly [string, string]> {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const definition = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      scope: 'Cluster',
      spec: z.object({}),
      validate,
    });
    await using own = await createTestServer({ resources: [definition] });
    const things = own.client.resource(definition);
    const message = await messageOf(() => things.create({ metadata: { name: 'a' }, spec: {} }));
    const printed = print.mock.calls.flat().map(String).join(' ');
    print.mockRestore();
    return [message, printed];
  }

  it.each<[string, unknown, string]>([
    ['a text', 'wrong', '"wrong"'],
    ['true', true, 'true'],
    ['a list of texts', ['wrong'], '"wrong"'],
    ['a promise', Promise.resolve([]), 'a promise: await it first'],
  ])('validate that returns %s', async (_mistake, result, given) => {
    const [message, printed] = await created(() => result);
    expect(message).toContain('see the log of the server');
    expect(printed).toContain(
      `"validate" of Thing must return a list of errors, such as [FieldErrors.invalid('spec.a', value, 'why')], not ${given}`,
    );
  });

  /** Starts a server over a table of these rows. */
  async function served(scope: 'Cluster' | 'Namespaced', rows: readonly TableRow[]): Promise<void> {
    const storage = await createTableStorage({
      list: () => rows,
      get: () => undefined,
      put() {},
      remove() {},
    });
    const spec = z.object({});
    const definition = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      scope,
      spec,
      storage,
    });
    await using _server = await createTestServer({ resources: [definition] });
  }

  it.each<[string, 'Cluster' | 'Namespaced', readonly TableRow[], string]>([
    [
      'a name that objects cannot have',
      'Cluster',
      [{ name: 'A_1', spec: {} }],
      'a row is called "A_1", and as the name of an object it must be written otherwise in list, get, put and remove: a lowercase RFC 1123 subdomain must consist of lower case',
    ],
    [
      'two rows of one name',
      'Cluster',
      [
        { name: 'a', spec: {} },
        { name: 'a', spec: {} },
      ],
      'two rows are called "a"',
    ],
    [
      'rows without a namespace',
      'Namespaced',
      [{ name: 'a', spec: {} }],
      'row "a" has no namespace: give rows one, or define Thing with scope "Cluster"',
    ],
    [
      'rows with a namespace',
      'Cluster',
      [{ name: 'a', namespace: 'b', spec: {} }],
      'row "a" has namespace "b", and Thing has scope "Cluster"',
    ],
  ])('a table: %s', async (_mistake, scope, rows, message) => {
    expect(await messageOf(() => served(scope, rows))).toContain(message);
  });
});
