import { describe, expect, test } from 'vitest';
import { lastFreePhase } from '../../src/core/model/phases.ts';
import type { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { judgeRecorded } from '../../src/decide/judge-recorded.ts';
import { readProduct } from '../../src/record/add/read-product.ts';
import { missingProducts, readCorpus, readProducts } from '../harness/corpus.ts';

const texts = readProducts();
const corpus = readCorpus();
if (!texts || !corpus) {
  console.log(missingProducts);
}

/** The day of the products and of the lists of releases. */
const day = '2026-08-22';
const hasRule = /^#.*\beol\b.*=/im;

/** The cycles of a product: name, first day, and the day of its end or whether it is over. */
function readCycles(text: string): readonly (readonly string[])[] {
  const blocks = text.split(/^ {2}- releaseCycle: /m).slice(1);
  return blocks.map((block) => {
    const name = /^["']?([^"'\s]+)/.exec(block)![1]!;
    const value = (key: string) =>
      new RegExp(String.raw`^    ${key}: (\S+)`, 'm').exec(block)?.[1] ?? '';
    return [name, value('releaseDate'), value('eol')];
  });
}

/** The end of each line by a policy. */
function computeEnds(support: SupportPolicy, releases: readonly (readonly string[])[]) {
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const recorded = releases.map(([version, at]) => ({ version: version!, releaseTimestamp: at! }));
  const { judgement } = judgeRecorded('', definition, { releases: recorded }, day);
  return new Map(judgement.lines.map(({ name, phases }) => [name, lastFreePhase(phases)?.until]));
}

describe.skipIf(!texts || !corpus)('the products of endoflife.date', () => {
  const products = Array.from(texts ?? [], ([name, text]) => {
    const { sources, facts, notes } = readProduct({ name, text, place: name, day });
    return { name, text, isListed: sources.length > 0, support: facts.support, notes };
  });
  const both = products.filter(({ text, isListed }) => isListed && hasRule.test(text));
  const ruled = both.filter(({ support }) => support !== undefined);

  test('265 of 464 name lists that a source reads, 130 of them a rule, and 58 a rule that is a policy', () => {
    expect({
      products: products.length,
      listed: products.filter(({ isListed }) => isListed).length,
      both: both.length,
      ruled: ruled.length,
    }).toEqual({ products: 464, listed: 265, both: 130, ruled: 58 });
  });

  test('each policy gives the stated ends, or the note of "add" counts the others', () => {
    const equal: string[] = [];
    const named: string[] = [];

    for (const { name, text, support, notes } of ruled) {
      const ends = computeEnds(
        support!,
        readCycles(text).filter(([, at]) => at !== ''),
      );
      const others = readCycles(text).filter(([line, at, eol]) => {
        const until = ends.get(line!);
        const isDay = /^\d/.test(eol!) && at !== '' && (until !== undefined || eol! < day);
        return isDay && until !== eol;
      });
      const stated = / is another end for (\d+) of /.exec(notes.at(-1)!)?.[1];

      expect(Number(stated ?? 0), name).toBe(others.length);
      (others.length === 0 ? equal : named).push(name);
    }

    expect([equal.length, named.length]).toEqual([24, 34]);
  });

  test('by a policy and the real releases, today each line has the state that is stated', () => {
    const others: string[] = [];
    let [equal, compared] = [0, 0];

    for (const { name, text, support } of ruled.filter(({ name }) => corpus!.has(name))) {
      const releases = corpus!.get(name)!.map(({ version, releaseTimestamp: at }) => [version, at]);
      const ends = computeEnds(support!, releases);

      for (const [line = '', , eol = ''] of readCycles(text).filter(([each]) => ends.has(each!))) {
        const until = ends.get(line);
        const isOver = until !== undefined && until < day;
        compared += Number(isOver);
        equal += Number(isOver && until === eol);

        if (isOver !== (eol === 'true' || (eol !== 'false' && eol < day))) {
          others.push(`${name} ${line}: ${eol}, by the rule ${until}`);
        }
      }
    }

    // The new line of the first three is younger than their page; npm lists react-native 1000.0.0, which no other list has.
    expect(others).toEqual([
      'apache-artemis 2.55: false, by the rule 2026-08-21',
      'kubernetes-csi-node-driver-registrar 2.16: false, by the rule 2026-05-21',
      'kyverno 1.16: false, by the rule 2026-08-20',
      'react-native 0.85: false, by the rule 2026-08-11',
    ]);
    expect([equal, compared]).toEqual([694, 858]);
  });
});
