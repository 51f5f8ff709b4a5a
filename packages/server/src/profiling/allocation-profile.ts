import type { Profile, ProfileFrame, ProfileSample } from '@ashlar/http';
import type { AllocationNode } from './inspector-session.ts';
import { profileFrame } from './profile-frames.ts';

/** Converts a recording of memory: the bytes that each stack allocated. @param released whether released memory counts, too */
export function allocationProfile({ head }: { readonly head: AllocationNode }, released: boolean): Profile {
  const samples: ProfileSample[] = [];
  const left: { readonly node: AllocationNode; readonly stack: readonly ProfileFrame[] }[] = [
    { node: head, stack: [] },
  ];
  for (let next = left.pop(); next; next = left.pop()) {
    const { node } = next;
    const stack = node === head ? [] : [profileFrame(node.callFrame), ...next.stack];
    if (node.selfSize > 0 && node !== head) samples.push({ stack, values: [node.selfSize] });
    for (const child of node.children) left.push({ node: child, stack });
  }
  return { values: [{ type: released ? 'alloc_space' : 'inuse_space', unit: 'bytes' }], samples };
}
