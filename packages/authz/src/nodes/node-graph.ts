import type { ApiObject, Vocabulary } from '@ashlar/core';
import {
  claimedBy,
  type PersistentVolume,
  type Pod,
  podReferences,
  type VolumeAttachment,
  volumeSecrets,
} from './node-references.ts';

const keyOf = (resource: string, namespace: string, name: string): string =>
  `${resource}/${namespace}/${name}`;

const keyOfObject = (resource: string, { metadata }: ApiObject): string =>
  keyOf(resource, metadata.namespace ?? '', metadata.name ?? '');

/**
 * Which objects belong to which nodes: those that pods on a node reference, and their own references
 * (semantics/access#nodes). It is notified of changes of pods, volumes and attachments, and answers without
 * traversing them.
 */
export class NodeGraph {
  readonly #mirrorAnnotation: string;
  /** Of referenced objects: their nodes, with the number of references. */
  readonly #nodesOf: Map<string, Map<string, number>> = new Map();
  /** Of pods: their node and references. */
  readonly #pods: Map<string, { readonly node: string; readonly named: readonly string[] }> = new Map();
  /** Of volumes: their claim, and the secrets that they reference. */
  readonly #volumes: Map<string, { readonly claim: string; readonly secrets: readonly string[] }> = new Map();
  /** Of secrets: the volumes that reference them. */
  readonly #volumesOf: Map<string, Set<string>> = new Map();
  readonly #attachments: Map<string, string> = new Map();

  constructor(vocabulary: Vocabulary) {
    this.#mirrorAnnotation = `${vocabulary.labelDomain}/config.mirror`;
  }

  setPod(pod: ApiObject): void {
    this.deletePod(pod);
    const node = (pod as Pod).spec?.nodeName;
    if (!node) return;
    const namespace = pod.metadata.namespace ?? '';
    // mirror pods grant a node nothing
    const isMirror = pod.metadata.annotations?.[this.#mirrorAnnotation] !== undefined;
    const named = isMirror
      ? []
      : podReferences(pod as Pod).map(({ resource, name }) => keyOf(resource, namespace, name));
    this.#pods.set(keyOfObject('pods', pod), { node, named });
    for (const key of named) this.#count(key, node, 1);
  }

  deletePod(pod: ApiObject): void {
    const key = keyOfObject('pods', pod);
    const existing = this.#pods.get(key);
    if (!existing) return;
    this.#pods.delete(key);
    for (const each of existing.named) this.#count(each, existing.node, -1);
  }

  setVolume(volume: ApiObject): void {
    this.deleteVolume(volume);
    const claim = claimedBy(volume as PersistentVolume);
    if (!claim) return;
    const key = keyOfObject('persistentvolumes', volume);
    const secrets = volumeSecrets(volume as PersistentVolume).map(({ namespace, name }) =>
      keyOf('secrets', namespace, name),
    );
    this.#volumes.set(key, { claim: keyOf('persistentvolumeclaims', claim.namespace, claim.name), secrets });
    for (const secret of secrets) {
      const volumes = this.#volumesOf.get(secret) ?? new Set();
      this.#volumesOf.set(secret, volumes.add(key));
    }
  }

  deleteVolume(volume: ApiObject): void {
    const key = keyOfObject('persistentvolumes', volume);
    const existing = this.#volumes.get(key);
    if (!existing) return;
    this.#volumes.delete(key);
    for (const secret of existing.secrets) {
      const volumes = this.#volumesOf.get(secret);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#volumesOf.delete(secret);
    }
  }

  setAttachment(attachment: ApiObject): void {
    const { nodeName = '' } = (attachment as VolumeAttachment).spec ?? {};
    this.#attachments.set(keyOfObject('volumeattachments', attachment), nodeName);
  }

  deleteAttachment(attachment: ApiObject): void {
    this.#attachments.delete(keyOfObject('volumeattachments', attachment));
  }

  /** Whether an object belongs to a node. */
  relates(node: string, resource: string, namespace: string, name: string): boolean {
    const key = keyOf(resource, namespace, name);
    if (resource === 'pods') return this.#pods.get(key)?.node === node;
    if (resource === 'volumeattachments') return this.#attachments.get(key) === node;
    if (resource === 'persistentvolumes') return this.#isOnNode(key, node);
    if (this.#nodesOf.get(key)?.has(node)) return true;
    return [...(this.#volumesOf.get(key) ?? [])].some((volume) => this.#isOnNode(volume, node));
  }

  /** Whether a pod on a node has the claim of a volume. */
  #isOnNode(volume: string, node: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#nodesOf.get(claim)?.has(node) === true;
  }

  #count(key: string, node: string, change: 1 | -1): void {
    const counts = this.#nodesOf.get(key) ?? new Map<string, number>();
    const count = (counts.get(node) ?? 0) + change;
    if (count > 0) counts.set(node, count);
    else counts.delete(node);
    if (counts.size > 0) this.#nodesOf.set(key, counts);
    else this.#nodesOf.delete(key);
  }
}
