import { defaultRoles } from '@ashlar/apis';
import { createNodeAuthorizer, NodeGraph, type PolicyRule } from '@ashlar/authz';
import { type Ambient, type Authorizer, groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { type Following, followObjects, type ObjectFollower } from './follow-objects.ts';

/** The node authorizer over a store, and the watches that keep it up to date. */
export interface LiveNodes extends Disposable {
  /** The authorizer of mode `Node`. */
  readonly authorizer: Authorizer;
}

export interface LiveNodesOptions {
  readonly ambient: Ambient;
  readonly onError?: (error: unknown) => void;
}

const ROLE = 'system:node';

/** Follows pods, volumes and attachments of a store from the first request of a node on. */
export function createLiveNodes(store: ObjectStore, { ambient, onError }: LiveNodesOptions): LiveNodes {
  const { vocabulary, clock } = ambient;
  const graph = new NodeGraph(vocabulary);
  let rules: readonly PolicyRule[] | undefined;
  const inner = createNodeAuthorizer({
    vocabulary,
    graph,
    // most servers have no nodes, and make no roles when they start
    get rules() {
      rules ??=
        defaultRoles(vocabulary).clusterRoles.find(({ metadata }) => metadata.name === ROLE)?.rules ?? [];
      return rules;
    },
  });
  let following: readonly Following[] | undefined;
  let synced: Promise<unknown> | undefined;
  const follow = (resource: string, follower: ObjectFollower): Following =>
    followObjects(store, `/${resource}/`, follower, { clock, ...(onError && { onError }) });
  const start = (): readonly Following[] => {
    const all = [
      follow('pods', { set: (pod) => graph.setPod(pod), delete: (pod) => graph.deletePod(pod) }),
      follow('persistentvolumes', {
        set: (volume) => graph.setVolume(volume),
        delete: (volume) => graph.deleteVolume(volume),
      }),
      follow(`volumeattachments.${groupName(vocabulary, 'storage.')}`, {
        set: (attachment) => graph.setAttachment(attachment),
        delete: (attachment) => graph.deleteAttachment(attachment),
      }),
    ];
    const waiting = all.flatMap((each) => (each.synced instanceof Promise ? [each.synced] : []));
    if (waiting.length > 0) {
      synced = Promise.all(waiting).then(() => {
        synced = undefined;
      });
    }
    return all;
  };
  return {
    authorizer: {
      authorize(attributes, signal) {
        // only requests of nodes wait for the initial list
        if (!attributes.user.groups.includes('system:nodes')) return inner.authorize(attributes, signal);
        following ??= start();
        return synced
          ? synced.then(() => inner.authorize(attributes, signal))
          : inner.authorize(attributes, signal);
      },
      ...(inner.rules && { rules: inner.rules.bind(inner) }),
    },
    [Symbol.dispose]() {
      for (const each of following ?? []) each[Symbol.dispose]();
    },
  };
}
