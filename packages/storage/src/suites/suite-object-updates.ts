import { StatusError } from '@ashlar/core';
import type { ChangeResult } from '../contracts/object-store.ts';
import type { ObjectRecord } from '../objects/object-record.ts';
import { assertEqual, assertFails, assertThat } from './assertions.ts';
import { type ObjectSuite, removing, testObject, viewRecord, writing } from './object-suite-runner.ts';

const view = ({ outcome, record, previous }: ChangeResult): (string | undefined)[] => [
  outcome,
  viewRecord(record),
  viewRecord(previous),
];

/** Results of changes. */
export function defineUpdateTests({ check }: ObjectSuite): void {
  check('returns the result of a change', async (store) => {
    const base = await store.currentRevision();
    const update = async (change: Parameters<typeof store.update>[1]) =>
      view(await store.update('/t/a', change));
    assertEqual(await update(removing), ['unchanged', undefined, undefined], 'a removal of nothing');
    const [one, two] = [`/t/a=1@${base + 1}`, `/t/a=2@${base + 2}`];
    assertEqual(await update(writing('a', '1')), ['created', one, undefined], 'a creation');
    assertEqual(await update(() => ({ action: 'keep' })), ['unchanged', one, one], 'a change that keeps');
    assertEqual(await update(writing('a', '1')), ['unchanged', one, one], 'a change that changes nothing');
    assertEqual(await update(writing('a', '2')), ['updated', two, one], 'an update');
    assertEqual(await update(removing), ['removed', `/t/a=2@${base + 3}`, two], 'a removal');
    assertEqual(await store.get('/t/a'), undefined, 'the removed object');
    assertEqual(await store.currentRevision(), base + 3, 'the revision behind it all');
  });

  check('writes a provisional object again, even if nothing changes', async (store) => {
    const base = await store.currentRevision();
    const update = async (isProvisional: boolean) =>
      view(
        await store.update('/t/a', () => ({ action: 'write', object: testObject('a', '1'), isProvisional })),
      );
    const [one, two] = [`/t/a=1@${base + 1}`, `/t/a=1@${base + 2}`];
    assertEqual(await update(true), ['created', one, undefined], 'the provisional object');
    assertEqual((await store.list('/t/')).records.map(viewRecord), [one], 'its list');
    assertEqual(await update(false), ['updated', two, one], 'the first write');
    assertEqual(await update(false), ['unchanged', two, two], 'the second write');
  });

  check('shows a change to every read behind it', async (store) => {
    const { record } = await store.update('/t/a', writing('a', '1'));
    assertEqual(viewRecord(await store.get('/t/a')), viewRecord(record), 'get');
    assertEqual((await store.list('/t/')).records.map(viewRecord), [viewRecord(record)], 'list');
  });

  check('hands the newer object to a change that came second, so that none is lost', async (store) => {
    await store.update('/t/a', writing('a', ''));
    const append = (letter: string) => async (current: ObjectRecord | undefined) => {
      await Promise.resolve();
      return { action: 'write', object: testObject('a', `${current?.object.data}${letter}`) } as const;
    };
    await Promise.all([...'abcdefgh'].map((letter) => store.update('/t/a', append(letter))));
    const record = (await store.get('/t/a')) as ObjectRecord;
    assertEqual([...(record.object.data as string)].sort().join(''), 'abcdefgh', 'the letters appended');
  });

  check('passes on what the change throws, and writes nothing', async (store) => {
    const base = await store.currentRevision();
    const refuse = (): never => {
      throw StatusError.badRequest('refused');
    };
    const error = await assertFails(() => store.update('/t/a', refuse), StatusError, 'the update');
    assertEqual(error.message, 'refused', 'its message');
    assertEqual(await store.currentRevision(), base, 'the revision behind it');
  });

  check('gives up losing races when its signal is aborted', async (store) => {
    const abort = new AbortController();
    let calls = 0;
    const change = async () => {
      await store.update('/t/a', writing('a', `other ${++calls}`));
      if (calls === 4) abort.abort(StatusError.timeout('enough'));
      return { action: 'write', object: testObject('a', 'mine') } as const;
    };
    await assertFails(
      () => store.update('/t/a', change, { signal: abort.signal }),
      StatusError,
      'the update',
    );
    assertEqual(calls, 4, 'the attempts');
  });

  check('hands up frozen objects with their version', async (store) => {
    const { record } = await store.update('/t/a', writing('a', '1'));
    assertThat(Object.isFrozen(record?.object.metadata), 'the object is not frozen');
    assertEqual(record?.object.metadata.resourceVersion, String(record?.revision), 'its version');
  });
}
