import { expect, test } from 'vitest';
import { isCommitId } from '../../../src/core/model/digest.ts';
import { createSourceId } from '../../../src/core/schemas/definition/source-ids.ts';
import { datasources, type TypedSource } from '../../../src/record/sources/index.ts';

/** Whether a datasource is of repositories, whose tags have the ids of commits as digests. */
const hasCommits: Record<TypedSource['datasource'], boolean> = {
  npm: false,
  maven: false,
  pypi: false,
  docker: false,
  helm: false,
  'github-releases': true,
  'github-tags': true,
  'gitlab-releases': true,
  'gitlab-tags': true,
  'git-tags': true,
  nuget: false,
  crate: false,
  rubygems: false,
  go: false,
  'endoflife-date': false,
  json: false,
  page: false,
  static: false,
  osv: false,
};

test.each(datasources.map(({ datasource }) => datasource))(
  'a SHA-1 digest of %s is the id of a commit only if it has repositories',
  (datasource) => {
    const id = createSourceId({ datasource, packageName: 'example/kit' });

    expect(isCommitId(id, `sha1:${'a'.repeat(40)}`)).toBe(hasCommits[datasource]);
    expect(isCommitId(id, `sha256:${'a'.repeat(64)}`)).toBe(false);
  },
);
