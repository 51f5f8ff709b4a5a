import { describe, expect, it } from 'vitest';
import { podState } from './pod-state.ts';
import type { ContainerStatus, Pod, PodStatus } from './pod-types.ts';

const pod = (status: PodStatus, metadata: Pod['metadata'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {
    initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }],
    containers: [{ name: 'c' }, { name: 'd' }],
  },
  status,
});

const at = '2024-01-01T00:00:00Z';
const running: ContainerStatus = { name: 'c', ready: true, state: { running: {} }, restartCount: 1 };
const ended = (exitCode: number, more: object = {}): ContainerStatus => ({
  name: 'i',
  state: { terminated: { exitCode, ...more } },
  restartCount: 2,
});

describe('the state of a pod', () => {
  it.each<[string, PodStatus, string, string]>([
    ['its phase', { phase: 'Pending' }, 'Pending', '0/3'],
    ['its own reason', { phase: 'Failed', reason: 'Evicted' }, 'Evicted', '0/3'],
    [
      'one that is prepared',
      { phase: 'Pending', initContainerStatuses: [ended(0), { name: 's' }] },
      'Init:1/2',
      '0/3',
    ],
    ['one whose preparation failed', { initContainerStatuses: [ended(3)] }, 'Init:ExitCode:3', '0/3'],
    [
      'one killed while prepared',
      { initContainerStatuses: [ended(3, { signal: 9 })] },
      'Init:Signal:9',
      '0/3',
    ],
    [
      'an image that is not there',
      { initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ErrImagePull' } } }] },
      'Init:ErrImagePull',
      '0/3',
    ],
    [
      'one of two running',
      {
        phase: 'Running',
        containerStatuses: [running, { name: 'd', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
      'CrashLoopBackOff',
      '1/3',
    ],
    [
      'one of two at its end',
      { phase: 'Running', containerStatuses: [running, ended(0, { reason: 'Completed' })] },
      'NotReady',
      '1/3',
    ],
    [
      'ready with its sidecar',
      {
        phase: 'Running',
        initContainerStatuses: [ended(0), { name: 's', started: true, ready: true }],
        containerStatuses: [running, { ...running, name: 'd' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
      'Running',
      '3/3',
    ],
  ])('%s', (_, status, reason, count) => {
    const state = podState(pod(status));
    expect([state.reason, `${state.ready}/${state.total}`]).toEqual([reason, count]);
  });

  it('is overridden by its deletion, until it has ended', () => {
    const going = { deletionTimestamp: at };
    expect(podState(pod({ phase: 'Running' }, going)).reason).toBe('Terminating');
    expect(podState(pod({ phase: 'Running', reason: 'NodeLost' }, going)).reason).toBe('Unknown');
    expect(podState(pod({ phase: 'Succeeded' }, going)).reason).toBe('Succeeded');
  });

  it('counts restarts and shows the last', () => {
    const again = { ...running, lastState: { terminated: { finishedAt: at } } };
    const earlier = { ...running, lastState: { terminated: { finishedAt: '2023-01-01T00:00:00Z' } } };
    expect(podState(pod({ containerStatuses: [again, earlier] }))).toMatchObject({
      restarts: 2,
      lastRestart: at,
    });
  });
});
