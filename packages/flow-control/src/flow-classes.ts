import type { Vocabulary } from '@ashlar/core';
import type { FlowConfiguration } from './flow-configuration.ts';
import type { FlowLevels } from './flow-levels.ts';
import type { ConfiguredLevel, ConfiguredSchema } from './flow-objects.ts';
import { distinguisherOf, type FlowClass, type FlowCounts, Flows } from './levels/flow-class.ts';
import type { FlowLevel } from './levels/flow-level.ts';
import type { FlowRecorders } from './observation/flow-recorder.ts';
import { handOfQueues } from './queues/hand-of-queues.ts';

/** A class with its priority level. */
export interface LevelClass extends FlowClass {
  readonly level: FlowLevel;
}

/** The classes of requests, by schema. What is known of their flows remains when they are configured again. */
export class FlowClasses {
  readonly #vocabulary: Vocabulary;
  readonly #recorders: FlowRecorders | undefined;
  readonly #counts = new Map<string, FlowCounts>();
  #classes: ReadonlyMap<string, LevelClass> = new Map();

  constructor(vocabulary: Vocabulary, recorders: FlowRecorders | undefined) {
    this.#vocabulary = vocabulary;
    this.#recorders = recorders;
  }

  /** What was counted, by schema and level. */
  get counts(): readonly FlowCounts[] {
    return [...this.#counts.values()];
  }

  /** The class of a schema; undefined if its level does not exist. */
  get(name: string): LevelClass | undefined {
    return this.#classes.get(name);
  }

  configure({ schemas, levels: objects }: FlowConfiguration, levels: FlowLevels): void {
    const byName = new Map(objects.map((object) => [object.metadata.name, object]));
    const classes = new Map<string, LevelClass>();
    for (const schema of schemas) {
      const object = byName.get(schema.spec?.priorityLevelConfiguration?.name);
      const level = levels.get(object?.metadata.name ?? '');
      if (object && level) classes.set(schema.metadata.name ?? '', this.#classOf(schema, object, level));
    }
    this.#classes = classes;
    this.#forgetCounts();
  }

  #classOf(schema: ConfiguredSchema, object: ConfiguredLevel, level: FlowLevel): LevelClass {
    const { name = '', uid } = schema.metadata;
    const distinguisher = distinguisherOf(schema);
    return {
      ...{ schema: name, level, distinguisher },
      flows: this.#flowsOf(name, level, distinguisher),
      headers: this.#headers(uid, object.metadata.uid),
      counts: this.#countsOf(name, level.name),
    };
  }

  #flowsOf(schema: string, level: FlowLevel, distinguisher: FlowClass['distinguisher']): Flows {
    const { queues, handSize } = level.waiting ?? { queues: 1, handSize: 1 };
    const shape = `${distinguisher} ${queues} ${handSize}`;
    const known = this.#classes.get(schema);
    if (known?.level === level && known.flows.queues === shape) return known.flows;
    return new Flows(shape, (name) => handOfQueues(`${schema}\n${name}`, queues, handSize));
  }

  #countsOf(schema: string, level: string): FlowCounts {
    const key = JSON.stringify([schema, level]);
    const known = this.#counts.get(key);
    if (known) return known;
    const none = { executing: 0, executingSeats: 0, waiting: 0, waitingSeats: 0, isUsed: false };
    const counts: FlowCounts = { schema, level, ...none, recorder: this.#recorders?.of(schema, level) };
    this.#counts.set(key, counts);
    return counts;
  }

  #forgetCounts(): void {
    for (const [key, counts] of this.#counts) {
      const isCurrent = this.#classes.get(counts.schema)?.counts === counts;
      if (!isCurrent && counts.executingSeats === 0 && counts.waiting === 0) this.#counts.delete(key);
    }
  }

  #headers(schema: string | undefined, level: string | undefined): Readonly<Record<string, string>> {
    if (schema === undefined || level === undefined) return {};
    const prefix = this.#vocabulary.flowControlHeaderPrefix.toLowerCase();
    return { [`${prefix}flowschema-uid`]: schema, [`${prefix}prioritylevel-uid`]: level };
  }
}
