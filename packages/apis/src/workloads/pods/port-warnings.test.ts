import { describe, expect, it } from 'vitest';
import type { ContainerPort } from './container-types.ts';
import { portWarnings } from './port-warnings.ts';

const warningsOf = (...ports: readonly ContainerPort[]): readonly string[] =>
  portWarnings({ containers: [{ name: 'a', ports }] }, 'spec').map((warning) =>
    warning.replaceAll('spec.containers[0].', ''),
  );
const port = (more: ContainerPort = {}): ContainerPort => ({ containerPort: 80, protocol: 'TCP', ...more });

describe('portWarnings', () => {
  it.each<[string, ContainerPort, ContainerPort, string | undefined]>([
    ['the same', port(), port(), 'duplicate'],
    ['the same on the node', port({ hostPort: 1 }), port({ hostPort: 1 }), 'duplicate'],
    ['on the node and not', port({ hostPort: 1 }), port(), 'overlapping'],
    [
      'on all addresses and one',
      port({ hostPort: 1 }),
      port({ hostPort: 1, hostIP: '1.1.1.1' }),
      'dangerously ambiguous',
    ],
    [
      'on two addresses',
      port({ hostPort: 1, hostIP: '2.2.2.2' }),
      port({ hostPort: 1, hostIP: '1.1.1.1' }),
      undefined,
    ],
    ['on two ports of the node', port({ hostPort: 1 }), port({ hostPort: 2 }), undefined],
    ['of two protocols', port(), port({ protocol: 'UDP' }), undefined],
  ])('of a port twice, %s', (_, first, second, how) => {
    expect(warningsOf(first, second)).toEqual(
      how === undefined ? [] : [`ports[1]: ${how} port definition with ports[0]`],
    );
  });

  it('compares a port with a hundred others', () => {
    let comparisons = 0;
    const counted = (hostPort: number): ContainerPort => ({
      containerPort: 80,
      get hostPort() {
        comparisons++;
        return hostPort;
      },
    });
    expect(warningsOf(...Array.from({ length: 1000 }, (_, i) => counted(i + 1)))).toEqual([]);
    // two ports are looked at in each comparison
    expect(comparisons).toBeLessThanOrEqual(2 * 100 * 1000);
  });

  it('of an address without a port of the node', () => {
    expect(warningsOf(port({ hostIP: '1.1.1.1' }))).toEqual([
      'ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}',
    ]);
  });
});
