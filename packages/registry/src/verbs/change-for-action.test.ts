import { describe, expect, it } from 'vitest';
import { createTestResource, type Page } from '../objects/test-resource.fixture.ts';

const append =
  (text: string) =>
  (stored: object): Page =>
    ({ ...stored, text: `${(stored as Page).text}${text}` }) as Page;

describe('changeForAction', () => {
  it('writes the changed object, without validation and admission of an update', async () => {
    const { create, verbs, context, get, questions } = createTestResource();
    await create('a', { text: 'x' });
    questions.length = 0;
    expect(await verbs.change(context(), 'a', append('y'))).toMatchObject({
      text: 'xy',
      metadata: { resourceVersion: '3' },
    });
    expect([(await get('a')).text, questions]).toEqual(['xy', []]);
  });

  it('writes members in the order of the type, wherever the change put them', async () => {
    const { create, verbs, context, get } = createTestResource();
    await create('a', { text: 'x' });
    const order = Object.keys(await get('a'));
    const reversed = (stored: object): Page => Object.fromEntries(Object.entries(stored).reverse()) as Page;
    await verbs.change(context(), 'a', reversed);
    expect(Object.keys(await get('a'))).toEqual(order);
  });

  it('loses none of several concurrent changes', async () => {
    const { create, verbs, context, get } = createTestResource();
    await create('a', { text: '' });
    await Promise.all(Array.from({ length: 10 }, () => verbs.change(context(), 'a', append('.'))));
    expect((await get('a')).text).toBe('..........');
  });

  it('writes nothing in a dry run', async () => {
    const { create, verbs, context, get, engine } = createTestResource();
    await create('a', { text: 'x' });
    const revision = engine.currentRevision();
    expect(await verbs.change(context({ dryRun: true }), 'a', append('y'))).toMatchObject({ text: 'xy' });
    expect([(await get('a')).text, engine.currentRevision()]).toEqual(['x', revision]);
  });

  it('requires an existing object', async () => {
    const { verbs, context } = createTestResource();
    for (const dryRun of [false, true])
      await expect(verbs.change(context({ dryRun }), 'a', append('y'))).rejects.toMatchObject({ code: 404 });
  });
});
