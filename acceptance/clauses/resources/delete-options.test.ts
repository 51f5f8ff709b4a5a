import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary } from '../clause-server.fixture.ts';

forEachVocabulary('Delete options', (test) => {
  test('R060: dryRun does not delete the object', async ({ server }) => {
    await server.configMap('x');
    expect(await server.delete(`${CONFIG_MAPS}/x`, { dryRun: ['All'] })).toMatchObject({ status: 200 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
  });

  test('R060: preconditions identify the object', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    for (const preconditions of [{ uid: 'another' }, { resourceVersion: '1' }]) {
      const refused = await server.delete(`${CONFIG_MAPS}/x`, { preconditions });
      expect(refused).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    }
    const { uid, resourceVersion } = metadata;
    const met = await server.delete(`${CONFIG_MAPS}/x`, { preconditions: { uid, resourceVersion } });
    expect(met).toMatchObject({ status: 200, body: { status: 'Success', details: { uid } } });
  });

  test('R060: propagationPolicy and orphanDependents determine what happens to dependents', async ({
    server,
  }) => {
    const finalizers = async (name: string, options: object): Promise<unknown> => {
      await server.configMap(name);
      return (await server.delete(`${CONFIG_MAPS}/${name}`, { ...options })).body.metadata?.finalizers;
    };
    expect(await finalizers('foreground', { propagationPolicy: 'Foreground' })).toEqual([
      'foregroundDeletion',
    ]);
    expect(await finalizers('orphan', { propagationPolicy: 'Orphan' })).toEqual(['orphan']);
    expect(await finalizers('orphans', { orphanDependents: true })).toEqual(['orphan']);
    expect(await finalizers('background', { propagationPolicy: 'Background' })).toBeUndefined();
    await server.configMap('x');
    for (const options of [
      { propagationPolicy: 'Sideways' },
      { propagationPolicy: 'Orphan', orphanDependents: true },
    ]) {
      expect(await server.delete(`${CONFIG_MAPS}/x`, options)).toMatchObject({ status: 422 });
    }
  });

  test('R060: every option has its type', async ({ server }) => {
    await server.configMap('x');
    const wrong = {
      dryRun: 1,
      gracePeriodSeconds: 'soon',
      orphanDependents: 'yes',
      preconditions: [],
      propagationPolicy: 1,
      ignoreStoreReadErrorWithClusterBreakingPotential: 'yes',
    };
    for (const [option, value] of Object.entries(wrong)) {
      expect(await server.delete(`${CONFIG_MAPS}/x`, { [option]: value })).toMatchObject({ status: 400 });
    }
    const allowed = { gracePeriodSeconds: 30, ignoreStoreReadErrorWithClusterBreakingPotential: false };
    expect(await server.delete(`${CONFIG_MAPS}/x`, allowed)).toMatchObject({ status: 200 });
  });
});
