import { expect, test } from 'vitest';
import { isCommitId } from '../../../src/core/model/digest.ts';
import { createSourceId } from '../../../src/core/schemas/definition/source-ids.ts';
import { datasources, type TypedSource } from '../../../src/record/sources/index.ts';

/** The datasources of repositories, whose tags have the ids of commits as digests. */
const ofRepositories: readonly TypedSource['datasource'][] = [
  'github-releases',
  'github-tags',
  'gitlab-releases',
  'gitlab-tags',
  'git-tags',
];

test.each(datasources.map(({ datasource }) => datasource))(
  'a SHA-1 digest of %s is the id of a commit only if it has repositories',
  (datasource) => {
    const id = createSourceId({ datasource, packageName: 'example/kit' });

    expect(isCommitId(id, `sha1:${'a'.repeat(40)}`)).toBe(ofRepositories.includes(datasource));
    expect(isCommitId(id, `sha256:${'a'.repeat(64)}`)).toBe(false);
  },
);
