import {
  encodeBase64,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  UnusableResponseError,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { readAdmissionResponse } from './admission-response.ts';
import type { AdmissionReview } from './admission-review.ts';

const TYPE = { kind: 'AdmissionReview', apiVersion: 'admission.orch.io/v1' } as const;
const review: AdmissionReview = { ...TYPE, request: { uid: 'u' } };
const older: AdmissionReview = { ...review, apiVersion: 'admission.orch.io/v1beta1' };
const patch = encodeBase64(new TextEncoder().encode('[]'));

const read = (result: JsonValue, asked = review, mayPatch = true) =>
  runAtOnce(readAdmissionResponse(result, asked, mayPatch));
const answering = (response: JsonValue, type: JsonObject = TYPE): JsonObject => ({ ...type, response });
const saying = (status: JsonValue): JsonObject => answering({ uid: 'u', status });

function failureOf(result: JsonValue, asked = review, mayPatch = true): Error {
  try {
    read(result, asked, mayPatch);
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was read');
}

describe('a response to a review', () => {
  it('takes null for what is absent, and leaves out what is unknown', () => {
    const response = {
      uid: 'u',
      allowed: null,
      warnings: [null, 'w'],
      auditAnnotations: { a: null },
      other: 1,
    };
    expect(read(answering(response))).toMatchObject({
      allowed: false,
      warnings: ['', 'w'],
      auditAnnotations: { a: '' },
    });
    const causes = [null, { message: 'm' }];
    expect(read(saying({ details: { causes } })).status).toMatchObject({
      details: { causes: [{}, { message: 'm' }] },
    });
  });

  it.each<[string, JsonValue]>([
    [
      'json: cannot unmarshal string into Go struct field Status.response.status.code of type int32',
      saying({ code: 'x' }),
    ],
    [
      'json: cannot unmarshal number into Go struct field Status.response.status.message of type string',
      saying({ message: 5 }),
    ],
    [
      'json: cannot unmarshal string into Go struct field Status.response.status.details of type v1.StatusDetails',
      saying({ details: 'x' }),
    ],
    [
      'json: cannot unmarshal number into Go struct field StatusCause.response.status.details.causes.reason of type v1.CauseType',
      saying({ details: { causes: [{ reason: 1 }] } }),
    ],
    [
      'json: cannot unmarshal array into Go struct field AdmissionResponse.response.status of type v1.Status',
      saying([]),
    ],
    [
      'json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse',
      answering('x'),
    ],
    [
      'json: cannot unmarshal number into Go struct field AdmissionResponse.response.uid of type types.UID',
      answering({ uid: 5 }),
    ],
    [
      'json: cannot unmarshal number into Go struct field AdmissionRequest.request.uid of type types.UID',
      { ...answering({ uid: 'u' }), request: { uid: 5 } },
    ],
    [
      'no kind "Other" is registered for version "admission.orch.io/v1" in scheme "pkg/runtime/scheme.go:100"',
      answering({ uid: 'u' }, { ...TYPE, kind: 'Other' }),
    ],
    [
      'converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
      answering({ uid: 'u' }, { kind: 'Status', apiVersion: 'v1' }),
    ],
    [
      'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
      answering({ uid: 'u' }, { ...TYPE, apiVersion: 'admission.orch.io/v1beta1' }),
    ],
  ])('is unusable: %s', (message, result) => {
    const failure = failureOf(result);
    expect(failure.message).toBe(message);
    expect(UnusableResponseError.is(failure)).toBe(true);
  });

  it('is unusable for a review of the older version too, unless it declares no type', () => {
    expect(read(answering({ allowed: true }, {}), older).allowed).toBe(true);
    const failure = failureOf(answering({}, { kind: 'Pod', apiVersion: 'v1' }), older);
    expect(UnusableResponseError.is(failure)).toBe(true);
  });

  it.each<[string, JsonValue]>([
    ['webhook response was absent', null],
    ['webhook response was absent', {}],
    ['expected response.uid="u", got ""', answering({}, {})],
    [
      'expected webhook response of admission.orch.io/v1, Kind=AdmissionReview, got /, Kind=',
      answering({ uid: 'u' }, {}),
    ],
    ['webhook returned invalid response.patchType of ""', answering({ uid: 'u', patch, patchType: '' })],
    ['webhook returned response.patchType but not response.patch', answering({ uid: 'u', patchType: '' })],
  ])('is invalid: %s', (message, result) => {
    const failure = failureOf(result);
    expect(failure.message).toBe(message);
    expect(UnusableResponseError.is(failure)).toBe(false);
  });
});
