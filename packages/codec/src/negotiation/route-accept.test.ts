import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { objectMediaTypes } from './media-types.ts';
import { checkRouteAccept } from './route-accept.ts';

const served = objectMediaTypes(orchVocabulary);
const check = (header: string | undefined, isCollectionGet = false) =>
  checkRouteAccept(header, served, isCollectionGet);

describe('checkRouteAccept', () => {
  it('accepts types of the route, wildcards for everything, and an absent header', () => {
    expect(check(undefined)).toBeUndefined();
    expect(check('text/html, */*;q=0.1')).toBeUndefined();
    expect(check('application/yaml;as=x')).toBeUndefined();
  });

  it('rejects partial wildcards, naming the types of the route', () => {
    expect(check('application/*')?.status).toMatchObject({
      code: 406,
      reason: 'NotAcceptable',
      details: {},
      message:
        '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.orch.protobuf',
    });
  });

  it('names the streaming types of a collection', () => {
    expect(check('text/html', true)?.message).toContain(
      ', application/json;stream=watch, application/vnd.orch.protobuf;stream=watch',
    );
  });
});
