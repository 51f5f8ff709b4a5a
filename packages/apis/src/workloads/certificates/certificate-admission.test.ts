import { type AdmissionRequest, createAdmissionChain } from '@ashlar/admission';
import { type ApiObject, type Authorizer, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createCertificateAdmission } from './certificate-admission.ts';
import { createConditionTimes } from './condition-times.ts';

const resource = { group: 'certificates.orch.io', version: 'v1', resource: 'certificatesigningrequests' };
const kind = { group: 'certificates.orch.io', version: 'v1', kind: 'CertificateSigningRequest' };

const asked = (status: object, spec: object = {}): ApiObject =>
  ({
    apiVersion: 'certificates.orch.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'one' },
    spec: { signerName: 'example.com/one', ...spec },
    status,
  }) as unknown as ApiObject;

function requestOf(
  subresource: string,
  object: ApiObject,
  oldObject: ApiObject = asked({}),
): AdmissionRequest {
  return {
    ...{ operation: 'UPDATE', resource, kind, subresource, namespace: '', name: 'one', dryRun: false },
    ...{ user: { name: 'anna', groups: [] }, object, oldObject, warn: () => {}, annotate: () => {} },
  } as AdmissionRequest;
}

/** Allows what is on a list of `verb name`. */
const allowing = (...rights: readonly string[]): Authorizer => ({
  authorize: ({ verb, resource: what, name }) => ({
    decision: what === 'signers' && rights.includes(`${verb} ${name}`) ? 'allow' : 'no-opinion',
  }),
});

const ambient = { vocabulary: orchVocabulary, clock: createSteppedClock(Date.UTC(2024, 0, 2)) };

const pluginWith = (...rights: readonly string[]) =>
  createAdmissionChain(createCertificateAdmission({ ambient, authorizer: allowing(...rights) }), {
    last: [createConditionTimes(ambient)],
  });

const approved = asked({ conditions: [{ type: 'Approved', status: 'True' }] });

describe('permissions on signers', () => {
  it('allow approving by the name of the signer or its entire domain', async () => {
    for (const right of ['approve example.com/one', 'approve example.com/*'])
      await pluginWith(right).validate(requestOf('approval', approved));
    await expect(
      pluginWith('approve example.com/two', 'sign example.com/*').validate(requestOf('approval', approved)),
    ).rejects.toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.orch.io "one" is forbidden: user not permitted to approve requests with signerName "example.com/one"',
    });
  });

  it('are checked for the stored signer', async () => {
    const other = asked({ conditions: [] }, { signerName: 'example.com/two' });
    await expect(
      pluginWith('approve example.com/two').validate(requestOf('approval', other)),
    ).rejects.toMatchObject({ code: 403 });
  });

  it('allow signing, and are not checked if the certificate does not change', async () => {
    const signed = asked({ certificate: 'AAAA' });
    await pluginWith('sign example.com/one').validate(requestOf('status', signed));
    await pluginWith().validate(requestOf('status', signed, signed));
    await expect(pluginWith().validate(requestOf('status', signed))).rejects.toThrow(
      'user not permitted to sign requests with signerName "example.com/one"',
    );
  });
});

describe('conditions', () => {
  it('have update and transition times', async () => {
    const first = await pluginWith().mutate(requestOf('approval', approved));
    const now = '2024-01-02T00:00:00Z';
    expect(first).toMatchObject({
      status: { conditions: [{ lastUpdateTime: now, lastTransitionTime: now }] },
    });
    const before = '2023-01-02T00:00:00Z';
    const stored = asked({ conditions: [{ type: 'Approved', status: 'True', lastTransitionTime: before }] });
    expect(await pluginWith().mutate(requestOf('approval', approved, stored))).toMatchObject({
      status: { conditions: [{ lastUpdateTime: now, lastTransitionTime: before }] },
    });
  });
});

describe('conditions as long as a document', () => {
  it('are looked at once each, by type and status', async () => {
    let reads = 0;
    const before = '2023-01-02T00:00:00Z';
    const stored = Array.from({ length: 1_000 }, (_, i) => ({
      get type() {
        reads += 1;
        return `T${i}`;
      },
      status: 'True',
      lastTransitionTime: i === 0 ? null : before,
    }));
    const submitted = stored.map((_, i) => ({ type: `T${i}`, status: i === 1 ? 'False' : 'True' }));
    const { status } = (await pluginWith().mutate(
      requestOf('approval', asked({ conditions: submitted }), asked({ conditions: stored })),
    )) as unknown as { readonly status: { readonly conditions: readonly { lastTransitionTime: string }[] } };
    const now = '2024-01-02T00:00:00Z';
    expect(status.conditions.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      now,
      now,
      ...Array.from({ length: 998 }, () => before),
    ]);
    expect(reads).toBeLessThan(5_000);
  });
});

describe('a new request', () => {
  const base64 =
    'MIGZME0CAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MCowBQYDK2VwAyEAsbBtpSwegg1R11aMN7OkW/gujZe+QebDijOiqlbmOcCgADAFBgMrZXADQQDddxg/zC+qZ9Z4FsUf+9oIUMuvgd+zIAQot+3T5YXB8WHsLRAhVZMp6Eh0HYKuKzsDvIxMmzgLtk4N0LXT0x0K';
  const making = (content: string): AdmissionRequest => {
    const request = btoa(
      `-----BEGIN CERTIFICATE REQUEST-----\n${content}\n-----END CERTIFICATE REQUEST-----\n`,
    );
    return { ...requestOf('', asked({}, { request })), operation: 'CREATE', oldObject: undefined };
  };

  it('must be signed by its own key', async () => {
    await pluginWith().validate(making(base64));
    const other = base64.replace(/K$/, 'L');
    await expect(pluginWith().validate(making(other))).rejects.toMatchObject({
      code: 422,
      details: {
        ...{ name: 'one', group: 'certificates.orch.io', kind: 'CertificateSigningRequest' },
        causes: [{ field: 'spec.request', reason: 'FieldValueInvalid' }],
      },
    });
  });
});
