import { expect } from 'vitest';
import { type ClauseServer, CONFIG_MAPS, forEachVocabulary, WIDGETS } from '../clause-server.fixture.ts';

/** Posts a text with a repeated field. */
const postTwice = (server: ClauseServer, query: string, tail = '') =>
  server.send('POST', `${CONFIG_MAPS}?${query}`, {
    body: `{"metadata":{"name":"x"},"colour":"red","data":{"a":"b"},"data":{"a":"c"}${tail}}`,
    headers: { 'content-type': 'application/json' },
  });

forEachVocabulary('Field validation', (test) => {
  test('R171: types and required fields are validated at every level', async ({ server }) => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const path = `${CONFIG_MAPS}?fieldValidation=${level}`;
      expect(await server.post(path, { metadata: { name: 'x' }, data: [] })).toMatchObject({ status: 400 });
      const nameless = await server.post(path, { metadata: {} });
      expect(nameless).toMatchObject({
        status: 422,
        body: { details: { causes: [{ reason: 'FieldValueRequired', field: 'metadata.name' }] } },
      });
    }
  });

  test('R172: unknown fields are dropped, the last of repeated ones is used', async ({ server }) => {
    const { status, body } = await postTwice(server, '');
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('colour');
    expect(body.data).toEqual({ a: 'c' });
    const custom = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' } };
    const widget = await server.post(WIDGETS, { ...custom, spec: { size: 1, weight: 2 } });
    expect(widget).toMatchObject({ status: 201 });
    expect(widget.body.spec).toEqual({ size: 1 });
  });

  test('R173: they are ignored, warned about or rejected, depending on the level', async ({ server }) => {
    const warnings = ['unknown field \\"colour\\"', 'duplicate field \\"data\\"'];
    const ignored = await postTwice(server, 'dryRun=All&fieldValidation=Ignore');
    expect({ status: ignored.status, warned: ignored.headers.has('warning') }).toEqual({
      status: 201,
      warned: false,
    });
    for (const query of ['dryRun=All&fieldValidation=Warn', 'dryRun=All']) {
      const { status, headers } = await postTwice(server, query);
      expect(status).toBe(201);
      for (const text of warnings) expect(headers.get('warning')).toContain(`299 - "${text}"`);
    }
    const strict = await postTwice(server, 'dryRun=All&fieldValidation=Strict');
    expect(strict.status).toBe(400);
    for (const text of warnings) expect(strict.body.message).toContain(text.replaceAll('\\', ''));
  });

  test('R174: with another error, unknown and repeated fields are not listed', async ({ server }) => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const query = `fieldValidation=${level}`;
      const { status, body, headers } = await postTwice(server, query, ',"immutable":"perhaps"');
      expect({ status, warned: headers.has('warning') }).toEqual({ status: 400, warned: false });
      expect(body.message).not.toMatch(/unknown field|duplicate field/);
    }
  });
});
