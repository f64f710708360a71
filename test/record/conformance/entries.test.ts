import { describe, expect, it } from 'vitest';
import { expectFailed, expectOtherUpdated, versionsOf } from '../../harness/expectations.ts';
import { known, news, run } from '../../harness/gathering.ts';
import { allUpstreams, remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { changed } from '../../harness/upstream.ts';

describe.concurrent.each(remoteUpstreams.filter(({ entry }) => entry !== undefined))(
  '$name, with a malformed entry',
  (imitation) => {
    it('leaves out and reports the entry, and keeps the others', async () => {
      const outcome = await run(imitation, {
        releases: [...known, { version: '2.1.1', isMalformed: true }, news],
      });

      expect(versionsOf(outcome)).toEqual([...known, news].map(({ version }) => version));
      expect(outcome.messages).toEqual([
        expect.stringMatching(
          /^svc: \S+ http\S+: entry 7.*: .*(expected|required).*\. Skipped 1 of 8 entries\.$/,
        ),
      ]);
      expectOtherUpdated(outcome);
    });

    it('keeps recorded data when no entry is readable', async () => {
      const outcome = await run(imitation, {
        releases: known.map((listed) => ({ ...listed, isMalformed: true })),
      });

      expectFailed(outcome, /entry 1.*None of its 6 entries can be read/);
    });
  },
);

describe.concurrent.each(remoteUpstreams.filter(({ entry }) => entry === 'object'))(
  '$name, with a recorded version whose entry became malformed',
  (imitation) => {
    it('does not withdraw the version', async () => {
      const releases = known.map((listed) =>
        listed.version === '1.9' ? { ...listed, isMalformed: true } : listed,
      );
      const outcome = await run(imitation, { releases });

      expect(outcome.releases).toEqual(outcome.before);
      expect(outcome.messages).toEqual([expect.stringContaining('entry 2 ("1.9"): ')]);
    });
  },
);

describe.concurrent.each(remoteUpstreams.filter(({ namesPackage }) => namesPackage))(
  '$name, with another package',
  (imitation) => {
    it('keeps recorded data when the answer is about another package', async () => {
      const outcome = await run(imitation, { packageName: 'other' });

      expectFailed(
        outcome,
        /(expected the (document|tags) of ".*agent"; got (that|those) of "other"|has no chart "agent"; it lists other)/,
      );
    });
  },
);

describe.concurrent.each(allUpstreams.filter(({ statesLinks }) => statesLinks))(
  '$name, with links',
  (imitation) => {
    it('records an https link', async () => {
      const link = 'https://example.com/history#2-2';
      const outcome = await run(imitation, { releases: [...known, { ...news, link }] });

      expect(outcome.releases.at(-1)).toMatchObject({ version: news.version, changelogUrl: link });
    });
  },
);

// A definition rejects such links, so `static` is not tested.
describe.concurrent.each(remoteUpstreams.filter(({ statesLinks }) => statesLinks))(
  '$name, with links',
  (imitation) => {
    it.each([
      'javascript:alert(1)',
      'data:text/html,x',
      'http://example.com/',
      'https://user:secret@example.com/',
    ])('leaves out the link %s', async (link) => {
      const outcome = await run(imitation, { releases: [...known, { ...news, link }] });

      expect(outcome.releases.at(-1)).not.toHaveProperty('changelogUrl');
      expect(outcome.messages).toEqual([
        `svc: ${outcome.sources[0]!.id}: "2.2": changelog link: expected an https: address; got "${link}". Left out.`,
      ]);
    });
  },
);

describe.concurrent.each(remoteUpstreams.filter(({ bomb }) => bomb !== undefined))(
  '$name, with a document that unfolds',
  (imitation) => {
    it('rejects a document that would expand beyond memory', async () => {
      const startedAt = performance.now();
      const outcome = await run(imitation, {
        handler: (documents) => changed(documents, () => imitation.bomb!),
      });

      expectFailed(outcome, /DOCTYPE|alias/);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });
  },
);
