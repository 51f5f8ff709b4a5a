import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import { createApiServer } from '../../assembly/create-api-server.ts';
import { FilesFolder } from '../files-folder.fixture.ts';
import { parseFlags } from '../flags/flags.ts';
import { serveFlags } from '../flags/serve-flags.ts';
import { WebhookConnections } from '../webhook-connections.ts';
import { createServeAudit } from './serve-audit.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());

const policyOf = ({ groupDomain }: Vocabulary, rules = '[{level: Metadata}]'): string =>
  `{apiVersion: audit.${groupDomain}/v1, kind: Policy, rules: ${rules}}`;

function open(vocabulary: Vocabulary, ...words: readonly string[]) {
  const ambient = nodeAmbient(vocabulary);
  const transport = createNodeTransport();
  const said: string[] = [];
  const stdout: string[] = [];
  const auditing = createServeAudit(parseFlags(serveFlags, words), {
    ...{ ambient, connections: new WebhookConnections({ ambient, transport }) },
    stdout: (text) => stdout.push(text),
    report: (text) => said.push(text),
  });
  return { auditing, said, stdout };
}

describe.each([kubernetesVocabulary, orchVocabulary])('the flags of auditing, in $name', (vocabulary) => {
  const policy = `--audit-policy-file=${folder.file(policyOf(vocabulary))}`;

  it('have requests written to a file', async () => {
    const log = join(folder.path, `${vocabulary.name}.log`);
    const { auditing } = open(vocabulary, policy, `--audit-log-path=${log}`);
    const server = createApiServer({
      vocabulary,
      controllers: false,
      ...(auditing.audit && { audit: auditing.audit }),
    });
    await server.ready;
    await server.fetch(new Request('http://server/version', { headers: { 'audit-id': 'mine' } }));
    await server.close();
    auditing[Symbol.dispose]();
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line)).filter(({ auditID }) => auditID === 'mine');
    const apiVersion = `audit.${vocabulary.groupDomain}/v1`;
    expect(events.map(({ kind, apiVersion: version, stage }) => [kind, version, stage])).toEqual([
      ['Event', apiVersion, 'RequestReceived'],
      ['Event', apiVersion, 'ResponseComplete'],
    ]);
  });

  it('have them printed, with metrics', async () => {
    const format = '--audit-log-format=legacy';
    const { auditing, stdout } = open(
      vocabulary,
      policy,
      '--audit-log-path=-',
      '--audit-log-mode=batch',
      format,
    );
    const server = createApiServer({
      vocabulary,
      controllers: false,
      ...(auditing.audit && { audit: auditing.audit }),
    });
    await server.ready;
    await server.fetch(new Request('http://server/version'));
    expect(server.metrics.text()).toMatch(/^apiserver_audit_event_total [1-9]/m);
    await server.close();
    expect(stdout.join('')).toMatch(/^\S+ AUDIT: id=".*uri="\/version" response="200"$/m);
  });

  it('need the version of the vocabulary', () => {
    const flag = '--audit-log-version=audit.example.com/v1';
    expect(() => open(vocabulary, flag)).toThrow(
      `flag --audit-log-version: audit.example.com/v1 is not audit.${vocabulary.groupDomain}/v1`,
    );
  });

  it('refuse a policy, and say where it is', () => {
    const file = folder.file(policyOf(vocabulary, '[]'));
    expect(() => open(vocabulary, `--audit-policy-file=${file}`)).toThrow(
      `flag --audit-policy-file: ${file}: loaded illegal policy with 0 rules`,
    );
    const broken = folder.file('{{{');
    expect(() => open(vocabulary, `--audit-policy-file=${broken}`)).toThrow(
      `flag --audit-policy-file: ${broken}: `,
    );
  });

  it('warn of unknown and doubled fields', () => {
    const file = folder.file(policyOf(vocabulary, '[{level: None, level: Metadata, who: a}]'));
    expect(open(vocabulary, `--audit-policy-file=${file}`).said.slice(0, 2)).toEqual([
      expect.stringContaining('level'),
      `ashlar: ${file}: unknown field "rules[0].who"\n`,
    ]);
  });
});

describe('auditing', () => {
  it('says what is missing', () => {
    const policy = `--audit-policy-file=${folder.file(policyOf(orchVocabulary))}`;
    const [onlyPolicy, onlyLog] = [open(orchVocabulary, policy), open(orchVocabulary, '--audit-log-path=-')];
    expect([onlyPolicy.auditing.audit, onlyLog.auditing.audit]).toEqual([undefined, undefined]);
    expect([...onlyPolicy.said, ...onlyLog.said]).toEqual([
      'ashlar: without --audit-log-path and --audit-webhook-config-file no events are recorded\n',
      'ashlar: without --audit-policy-file no events are recorded\n',
    ]);
  });

  it('refuses a file that cannot be written', () => {
    const path = join(folder.path, 'folder');
    mkdirSync(path);
    expect(() => open(orchVocabulary, `--audit-log-path=${path}`)).toThrow(
      `flag --audit-log-path: ${path} cannot be written (EISDIR)`,
    );
  });

  it('refuses a configuration of a webhook that is not there', () => {
    expect(() => open(orchVocabulary, '--audit-webhook-config-file=/none')).toThrow(
      'flag --audit-webhook-config-file: /none',
    );
  });
});
