import { fieldErrorText, type JsonObject, orchVocabulary, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from '../definitions/custom-resource-definition.ts';
import { established, v1, widgets } from '../definitions/definition.fixture.ts';
import {
  validateDefinitionStatus,
  validateDefinitionSteps,
  validateDefinitionUpdateSteps,
} from './validate-definition.ts';

const errors = (definition: CustomResourceDefinition): readonly string[] =>
  runAtOnce(validateDefinitionSteps(definition, orchVocabulary)).map(fieldErrorText);
const updateErrors = (next: CustomResourceDefinition, stored: CustomResourceDefinition): readonly string[] =>
  runAtOnce(validateDefinitionUpdateSteps(next, stored, orchVocabulary)).map(fieldErrorText);

const v2 = { ...v1, name: 'v2', storage: false };
const schema = (properties: object): object => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

describe('a definition', () => {
  it('is accepted if it is valid', () => {
    expect(errors(widgets())).toEqual([]);
    expect(errors(widgets({ versions: [v1, v2] }))).toEqual([]);
  });

  // does not finish in the time of a test if each version looks at all others
  it('may keep thousands of versions, of which each is looked at once', () => {
    const versions = Array.from({ length: 30_000 }, (_, i) => ({
      ...v1,
      name: `v${i + 1}`,
      storage: i === 0,
    }));
    const definition = widgets({ versions });
    expect(updateErrors(definition, established(widgets({ versions })))).toEqual([]);
  });

  it('has no more versions than are installed in one turn', () => {
    const versioned = (count: number): CustomResourceDefinition =>
      widgets({
        versions: Array.from({ length: count }, (_, i) => ({ ...v1, name: `v${i + 1}`, storage: i === 0 })),
      });
    const tooMany = 'spec.versions: Too many: 501: must have at most 500 items';
    expect(errors(versioned(500))).toEqual([]);
    expect(errors(versioned(501))).toEqual([tooMany]);
    expect(updateErrors(versioned(501), established(versioned(500)))).toEqual([tooMany]);
    // what is there may stay, and become less
    expect(updateErrors(versioned(501), established(versioned(502)))).toEqual([]);
  });

  it('has had no more stored versions than it may have versions', () => {
    const stored = (count: number): CustomResourceDefinition => {
      const definition = established(widgets());
      const storedVersions = Array.from({ length: count }, (_, i) => `v${i + 1}`);
      return { ...definition, status: { ...definition.status, storedVersions } };
    };
    expect(validateDefinitionStatus(stored(500), stored(1))).toEqual([]);
    expect(validateDefinitionStatus(stored(501), stored(502))).toEqual([]);
    expect(validateDefinitionStatus(stored(501), stored(1)).map(fieldErrorText)).toEqual([
      'status.storedVersions: Too many: 501: must have at most 500 items',
    ]);
  });

  // does not finish in the time of a test if each stored version looks at all versions
  it('may have had thousands of stored versions, of which each is looked up', () => {
    const names = Array.from({ length: 30_000 }, (_, i) => `v${i + 1}`);
    const versions = names.map((name, i) => ({ ...v1, name, storage: i === 0 }));
    const definition = established(widgets({ versions }));
    const storedVersions = names.toReversed();
    const had = { ...definition, status: { ...definition.status, storedVersions } };
    expect(updateErrors(had, definition)).toEqual([]);
  });

  it.each(['shortNames', 'categories'])('has no more %s than readers of discovery can bear', (list) => {
    const named = (count: number): CustomResourceDefinition =>
      widgets({ names: { [list]: Array.from({ length: count }, (_, i) => `n${i}`) } });
    const tooMany = `spec.names.${list}: Too many: 2501: must have at most 2500 items`;
    expect(errors(named(2_500))).toEqual([]);
    expect(errors(named(2_501))).toEqual([tooMany]);
    expect(updateErrors(named(2_501), established(named(2_500)))).toEqual([tooMany]);
    // what is there may stay, and become less
    expect(updateErrors(named(2_501), established(named(2_502)))).toEqual([]);
    const few = named(1);
    const accepted = { ...few, status: { ...few.status, acceptedNames: named(2_501).spec.names } };
    expect(validateDefinitionStatus(accepted, named(2_501))).toEqual([]);
    expect(validateDefinitionStatus(accepted, named(1)).map(fieldErrorText)).toEqual([
      tooMany.replace('spec.names', 'status.acceptedNames'),
    ]);
  });

  it.each([
    [
      'another name',
      widgets({}, { metadata: { name: 'a.example.com' } }),
      'metadata.name: Invalid value: "a.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a group without a dot',
      widgets({ group: 'example' }, { metadata: { name: 'widgets.example' } }),
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
    ['no scope', widgets({ scope: '' }), 'spec.scope: Required value'],
    [
      'another scope',
      widgets({ scope: 'Galaxy' }),
      'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"',
    ],
    [
      'one kind for both',
      widgets({ names: { listKind: 'Widget' } }),
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ],
    [
      'no schema',
      widgets({ versions: [{ name: 'v1', served: true, storage: true }] }),
      'spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required',
    ],
    [
      'a warning without deprecation',
      widgets({ versions: [{ ...v1, deprecationWarning: 'old' }] }),
      'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
    ],
    [
      'a hidden character',
      widgets({ versions: [{ ...v1, deprecated: true, deprecationWarning: 'é\u0007' }] }),
      'spec.versions[0].deprecationWarning: Invalid value: "é\\a": must only contain printable UTF-8 characters; non-printable character found at index 2',
    ],
    [
      'unknown fields',
      widgets({ preserveUnknownFields: true }),
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-orch-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
    [
      'a group of the vendor',
      widgets({ group: 'x.orch.io' }, { metadata: { name: 'widgets.x.orch.io' } }),
      'metadata.annotations[api-approved.orch.io]: Required value: protected groups must have approval annotation "api-approved.orch.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
    [
      'a column without a dot',
      widgets({
        versions: [{ ...v1, additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'spec' }] }],
      }),
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
    ],
    [
      'a column of another type',
      widgets({
        versions: [{ ...v1, additionalPrinterColumns: [{ name: 'A', type: 'x', jsonPath: '.a' }] }],
      }),
      'spec.additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
    ],
    [
      'a scale elsewhere',
      widgets({
        versions: [
          { ...v1, subresources: { scale: { specReplicasPath: '.x.n', statusReplicasPath: '.status.n' } } },
        ],
      }),
      'spec.subresources.scale.specReplicasPath: Invalid value: ".x.n": should be a json path under .spec',
    ],
    [
      'a field that is not there',
      widgets({ versions: [{ ...v1, selectableFields: [{ jsonPath: '.spec.none' }] }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
    ],
    [
      'a field in brackets',
      widgets({ versions: [{ ...v1, selectableFields: [{ jsonPath: ".spec['size']" }] }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec[\'size\']": is an invalid path: array notation is not allowed',
    ],
    [
      'a field that is an object',
      widgets({ versions: [{ ...v1, selectableFields: [{ jsonPath: '.spec' }] }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
    ],
  ])('is rejected with %s', (_, definition, text) => {
    expect(errors(definition)).toEqual([text]);
  });

  it.each<[string, JsonObject]>([
    ['that is not there', {}],
    ['that cannot be read', { openAPIV3Schema: { type: 'object', $ref: 'x' } }],
  ])('checks the paths of selectable fields beside a schema %s', (_, schema) => {
    const version = { ...v1, schema, selectableFields: [{ jsonPath: 'spec' }] };
    expect(errors(widgets({ versions: [version] }))).toContain(
      'spec.selectableFields[0].jsonPath: Invalid value: "spec": is an invalid path: expected [ or . but got: spec',
    );
  });

  it('reports errors of shared parts once, and others with their version', () => {
    const faulty = { ...v1, ...schema({ a: { type: 'text' } }) };
    const at = (path: string): RegExp =>
      new RegExp(`^${path}\\.openAPIV3Schema\\.properties\\[spec\\]\\.properties\\[a\\]\\.type: `);
    const shared = errors(widgets({ versions: [faulty, { ...faulty, name: 'v2', storage: false }] }));
    expect(shared).toEqual([expect.stringMatching(at('spec\\.validation'))]);
    const differing = errors(widgets({ versions: [v1, { ...faulty, name: 'v2', storage: false }] }));
    expect(differing).toEqual([expect.stringMatching(at('spec\\.versions\\[1\\]\\.schema'))]);
  });

  it('has one stored version, and unique version names', () => {
    const both = errors(widgets({ versions: [v1, { ...v2, storage: true }] }));
    expect(both).toContainEqual(
      expect.stringMatching(/must have exactly one version marked as storage version$/),
    );
    const twice = errors(widgets({ versions: [v1, { ...v2, name: 'v1' }] }));
    expect(twice).toContainEqual(expect.stringMatching(/must contain unique version names$/));
    // recorded: the stored version answers for one of them
    const stored = errors(widgets({ versions: [v1, { ...v1 }] }));
    expect(stored.at(-1)).toMatch(/^status\.storedVersions: .*must have the storage version v1$/);
  });
});

describe('the conversion of a definition', () => {
  const webhook = (clientConfig: object | undefined, versions: readonly string[] = ['v1']) =>
    widgets({
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: versions, ...(clientConfig && { clientConfig }) },
      },
    });

  it.each([
    [webhook({ url: 'https://a.example.com/convert' }), []],
    [
      webhook(undefined),
      ['spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook'],
    ],
    [
      webhook({}),
      ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      webhook({ url: 'http://u@h/a?b#c' }),
      [
        'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        'spec.conversion.webhookClientConfig.url: Invalid value: "u": user information is not permitted in the URL',
        'spec.conversion.webhookClientConfig.url: Invalid value: "c": fragments are not permitted in the URL',
        'spec.conversion.webhookClientConfig.url: Invalid value: "b": query parameters are not permitted in the URL',
      ],
    ],
    [
      webhook({ service: { name: 'a', namespace: 'b', path: 'x//', port: 70_000 } }),
      [
        'spec.conversion.webhookClientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//": must start with a \'/\'',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//": segment[0] may not be empty',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//": segment[1] may not be empty',
      ],
    ],
    [
      webhook({ url: 'https://a' }, ['v1', 'v1']),
      ['spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    ],
    [
      webhook({ url: 'https://a' }, ['v7']),
      [
        'spec.conversion.conversionReviewVersions: Invalid value: []string{"v7"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      widgets({ conversion: { strategy: 'Magic' } }),
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
  ])('is validated (%#)', (definition, texts) => {
    expect(errors(definition)).toEqual(texts);
  });

  it('may have invalid certificates until the definition is established', () => {
    const broken = webhook({ url: 'https://a', caBundle: 'bm9uZQ==' });
    expect(errors(broken)).toEqual([]);
    const stored = established(webhook({ url: 'https://a' }));
    expect(updateErrors({ ...broken, status: stored.status }, stored)).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm9uZQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
  });
});

describe('an updated definition', () => {
  const stored = established(widgets());

  it('keeps the names and scope of stored objects', () => {
    const changed = { ...established(widgets({ scope: 'Cluster', names: { kind: 'Gadget' } })) };
    expect(updateErrors({ ...changed, status: stored.status }, stored)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ]);
    expect(updateErrors(widgets({ scope: 'Cluster' }), widgets())).toEqual([]);
  });

  it('does not drop a version of stored objects', () => {
    const next = { ...stored, spec: { ...stored.spec, versions: [{ ...v1, name: 'v2' }] } };
    expect(updateErrors(next, stored)).toEqual([
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v2',
      'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
    ]);
  });
});
