import { describe, expect, it } from 'vitest';
import { imageTag } from './image-name.ts';

describe('the tag of an image', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:1.27', '1.27'],
    ['nginx:latest', 'latest'],
    ['library/nginx', 'latest'],
    ['host:5000/a/b', 'latest'],
    ['host:5000/a/b:v1', 'v1'],
    ['registry.example.com/a__b/c-d.e:x_Y-1', 'x_Y-1'],
    ['[::1]:5000/a', 'latest'],
    [`a@sha256:${'0'.repeat(64)}`, undefined],
    [`a:v1@sha256:${'0'.repeat(64)}`, 'v1'],
    ['', undefined],
    ['UPPER', undefined],
    ['a//b', undefined],
    ['a:', undefined],
    ['a:b:c', undefined],
    ['a@sha256:0', undefined],
    ['f'.repeat(64), undefined],
    [`${'f'.repeat(64)}:1`, '1'],
    ['x'.repeat(247), 'latest'],
    ['x'.repeat(248), undefined],
    [`a/${'x'.repeat(253)}`, 'latest'],
    [`a/${'x'.repeat(254)}`, undefined],
    [`a.example/${'x'.repeat(255)}`, 'latest'],
    [`localhost/${'x'.repeat(256)}`, undefined],
    [`docker.io/${'x'.repeat(248)}`, undefined],
  ])('of %s is %s', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });

  it('is found in time', () => {
    expect(imageTag(`${'a.'.repeat(20_000)}!`)).toBeUndefined();
    expect(imageTag('-'.repeat(20_000))).toBeUndefined();
  });
});
