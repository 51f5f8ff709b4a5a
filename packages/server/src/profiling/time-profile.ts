import type { Profile, ProfileFrame, ProfileSample } from '@ashlar/http';
import type { TimeRecord } from './inspector-session.ts';
import { profileFrame } from './profile-frames.ts';

/** Time between two samples. */
export const SAMPLING_MICROSECONDS = 10_000;
const PERIOD_NANOSECONDS = SAMPLING_MICROSECONDS * 1000;
/** Samples in which the program waited. */
const IDLE = '(idle)';

type Node = TimeRecord['nodes'][number];

/** Converts a recording: how often each stack was met, and the time that this stands for. Waiting does not count. */
export function timeProfile({ nodes }: TimeRecord): Profile {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const samples: ProfileSample[] = [];
  const [root] = nodes;
  const left: { readonly node: Node; readonly stack: readonly ProfileFrame[] }[] = [];
  if (root) left.push({ node: root, stack: [] });
  for (let next = left.pop(); next; next = left.pop()) {
    const { node } = next;
    if (node.callFrame.functionName === IDLE) continue;
    const stack = node === root ? [] : [profileFrame(node.callFrame), ...next.stack];
    const { hitCount = 0 } = node;
    if (hitCount > 0 && node !== root)
      samples.push({ stack, values: [hitCount, hitCount * PERIOD_NANOSECONDS] });
    for (const id of node.children ?? []) left.push({ node: byId.get(id) as Node, stack });
  }
  const time = { type: 'cpu', unit: 'nanoseconds' };
  return {
    values: [{ type: 'samples', unit: 'count' }, time],
    samples,
    period: { of: time, amount: PERIOD_NANOSECONDS },
  };
}
