import { expect, test } from 'vitest';
import { findAdapter, type TypedSource } from '../../../src/record/sources/index.ts';

test.each([
  ['github-releases', 'https://api.github.com'],
  ['github-tags', 'https://api.github.com/'],
  ['gitlab-releases', 'https://gitlab.com'],
  ['gitlab-tags', 'https://gitlab.com/api/v4/'],
] as const)(
  '%s with its default registry %s has the same packages in Renovate',
  (datasource, url) => {
    const source = { datasource, packageName: 'example/kit' };
    const listConditions = (each: TypedSource) => findAdapter(each).renovate?.(each);

    const conditions = listConditions({ ...source, registryUrl: url });
    expect(conditions).toEqual(listConditions(source));
    expect(conditions).not.toEqual(listConditions({ ...source, registryUrl: 'https://x.example' }));
  },
);
