import { describe, expect, it } from 'vitest';
import type { RecordedLine } from '../../../src/core/schemas/recorded.ts';
import { addDays } from '../../../src/core/dates.ts';
import { known, news, today } from '../../harness/gathering.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { runSupport } from '../../harness/stating.ts';
import { changed, type Document } from '../../harness/upstream.ts';
import { supportUpstreams } from '../../harness/upstreams/support.ts';

const held = / Nothing of it was accepted\. If upstream is right, run: gather svc --accept$/;

describe.concurrent.each(supportUpstreams)('$name, answering less or otherwise', (imitation) => {
  it('waits for a person where it lists nothing, and takes that when it is accepted', async () => {
    const outcome = await runSupport(imitation, { releases: [] });

    expect(outcome.lines).toEqual(outcome.before);
    expect(outcome.sources).toMatchObject([{ kind: 'held' }]);
    expect(outcome.messages.at(-1)).toMatch(
      /^svc \(support .*\): lists nothing; it listed 6 release lines \(1\.8, .*2\.1\)/,
    );
    expect(outcome.messages.at(-1)).toMatch(held);

    const accepted = await runSupport(imitation, { releases: [], accept: true });
    expect(accepted.sources).toMatchObject([{ kind: 'answered' }]);
    expect(accepted.lines).toEqual(accepted.before.map((line) => ({ ...line, withdrawnSince: today })));
  });

  it('waits where more than a fifth of the lines is missing, and withdraws them when that is accepted', async () => {
    const outcome = await runSupport(imitation, { releases: known.slice(0, 4) });

    expect(outcome.lines).toEqual(outcome.before);
    expect(outcome.messages.at(-1)).toMatch(
      /no longer lists 2 of the 6 release lines it listed \(2\.0, 2\.1\)/,
    );
    expect(outcome.messages.at(-1)).toMatch(held);

    const accepted = await runSupport(imitation, { releases: known.slice(0, 4), accept: true });
    expect(accepted.lines!.flatMap(({ line, withdrawnSince }) => (withdrawnSince ? line : []))).toEqual([
      '2.0',
      '2.1',
    ]);
  });

  it.each([
    ['2029-05-01', 'two years later'],
    ['2025-05-01', 'two years earlier'],
    ['2027-07-31', '91 days later'],
  ])('waits where an end moves to %s, %s', async (day) => {
    const behaviour = { handler: moved(day) };
    const outcome = await runSupport(imitation, behaviour);

    expect(outcome.lines).toEqual(outcome.before);
    expect(outcome.messages.at(-1)).toMatch(
      new RegExp(
        `moves ends by more than 90 days: support of 1\\.8 from 2027-05-01 to ${day}, .* and 1 more`,
      ),
    );
    expect(outcome.messages.at(-1)).toMatch(held);

    const accepted = await runSupport(imitation, { ...behaviour, accept: true });
    expect(accepted.lines).toEqual(
      accepted.before.map((line) => ({ ...line, phases: [{ name: 'support', until: day }] })),
    );
  });

  it('takes an end that moves by less, and measures the next one by what was there before', async () => {
    const first = await runSupport(imitation, { handler: moved('2027-07-20') });
    expect(first.lines![0]).toMatchObject({
      phases: [{ name: 'support', until: '2027-07-20' }],
      movedFrom: { on: today, phases: [{ name: 'support', until: '2027-05-01' }] },
    });

    const known = ofSource(imitation.name, first.lines!);
    const second = await runSupport(imitation, {
      handler: moved('2027-10-10'),
      lines: known,
      day: addDays(today, 1),
    });
    if (imitation.name.endsWith('endoflife-date')) {
      expect(second.lines).toEqual(known);
      expect(second.messages.at(-1)).toMatch(/support of 1\.8 from 2027-05-01 to 2027-10-10/);
    }
  });

  it('takes lines anew that come back', async () => {
    const { before } = await runSupport(imitation);
    const lines = before.map((line) => ({ ...line, withdrawnSince: '2026-06-01' }));
    const outcome = await runSupport(imitation, {
      lines: ofSource(imitation.name, lines),
      releases: [...known, news],
    });

    if (imitation.name.endsWith('endoflife-date'))
      expect(outcome.lines!.filter(({ withdrawnSince }) => withdrawnSince)).toEqual([]);
  });
});

describe.each(supportUpstreams.filter(({ name }) => !name.endsWith('json')))(
  '$name, answering for another product',
  (imitation) => {
    it('takes nothing, names both, and takes it once it is accepted, also later', async () => {
      const other = imitation.name.endsWith('cle') ? 'pkg:generic/other' : 'other';
      const outcome = await runSupport(imitation, { packageName: 'other' });

      expect(outcome.lines).toEqual(outcome.before);
      expect(outcome.messages.at(-1)).toMatch(
        new RegExp(`is about "${other}"; expected the release lines of "(pkg:generic/)?agent"`),
      );
      expect(outcome.messages.at(-1)).toMatch(held);

      const accepted = await runSupport(imitation, { packageName: 'other', accept: true });
      expect(accepted.lines).toEqual(accepted.before.map((line) => ({ ...line, about: other })));
      expect(accepted.messages).toEqual([]);
    });
  },
);

describe('the phases of a product of endoflife.date', () => {
  const [imitation] = supportUpstreams;
  const cycle = (more: object): Document =>
    json({
      result: {
        name: 'agent',
        releases: [{ name: '22', isLts: false, ltsFrom: null, isEol: false, eolFrom: null, ...more }],
      },
    });
  const recorded = (phases: RecordedLine['phases']): RecordedLine[] => [
    { line: '22', phases, source: 'support endoflife-date:agent' },
  ];
  const gather = (more: object, phases: RecordedLine['phases']) =>
    runSupport(imitation!, {
      lines: recorded(phases),
      handler: (documents) => changed(documents, () => cycle(more)),
    });

  it.each<[string, object, RecordedLine['phases'], boolean]>([
    [
      'a phase of its own before the end',
      { isEoas: false, eoasFrom: '2026-10-31', eolFrom: '2027-04-30' },
      [{ name: 'support', until: '2027-05-01' }],
      false,
    ],
    [
      'extended support behind it',
      { eolFrom: '2027-04-30', isEoes: false, eoesFrom: '2030-04-30' },
      [{ name: 'support', until: '2027-05-01' }],
      false,
    ],
    ['a first end', { eolFrom: '2027-04-30' }, [{ name: 'support' }], false],
    [
      'an end long ago where there was none',
      { isEol: true, eolFrom: '2024-04-30' },
      [{ name: 'support' }],
      true,
    ],
    ['no end where there was one', {}, [{ name: 'support', until: '2027-05-01' }], true],
    ['that it is over, without a day', { isEol: true }, [{ name: 'support' }], false],
    [
      'that it is over, long before its day',
      { isEol: true },
      [{ name: 'support', until: '2027-05-01' }],
      true,
    ],
    ['that it is not over any more', {}, [{ name: 'support', isOver: true }], true],
    [
      'no active phase any more',
      { eolFrom: '2027-04-30' },
      [
        { name: 'active', until: '2026-05-01' },
        { name: 'security', until: '2027-05-01' },
      ],
      true,
    ],
  ])('%s', async (_, stated, phases, isHeld) => {
    const { sources } = await gather(stated, phases);

    expect(sources[0]!.kind).toBe(isHeld ? 'held' : 'answered');
  });
});

/** All ends, in whatever form the document has them. */
function moved(day: string) {
  const last = addDays(day, -1);
  return (documents: ReadonlyMap<string, Document>) =>
    changed(documents, (document) => ({
      ...document,
      body: String(document.body)
        .replaceAll('2027-04-30', last)
        .replaceAll(/"isEol":false/g, `"isEol":${last < today}`)
        .replaceAll('2027-05-01', day),
    }));
}

/** Under the address of another run, a document is another source. */
function ofSource(name: string, lines: readonly RecordedLine[]): RecordedLine[] {
  return name.endsWith('endoflife-date') ? [...lines] : [];
}
