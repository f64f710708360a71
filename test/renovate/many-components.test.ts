import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { summarise, type ComponentSummary } from '../../src/decide/component-summary.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { writeRoot } from '../bench/corpus-root.ts';
import { checkout } from '../harness/checkout.ts';
import { missingCorpus, readCorpus } from '../harness/corpus.ts';
import { temporaryFolder } from '../harness/root.ts';
import { runOverPins, type Pin } from './pins.ts';
import { pullRequestBodies } from './pull-request.ts';
import { buildAndServe, today, type ServedSite } from './site.ts';

const corpus = readCorpus();
if (!corpus) {
  console.log(missingCorpus);
}

const pinsOfRun = 120;

describe.skipIf(!corpus)('an index of 403 components', () => {
  let served: ServedSite;
  const summaries = new Map<string, ComponentSummary>();

  beforeAll(async () => {
    const root = temporaryFolder();
    writeRoot(root, corpus!, 1);
    served = await buildAndServe(root, today);
    for (const name of served.components.keys()) {
      const { component } = loadComponent(openRoot(root, checkout), name, today);
      summaries.set(name, summarise(component!));
    }
  });

  afterAll(() => served?.close());

  /** The line of every third component that ended last, ends next, or is the newest. */
  function listPins(): Pin[] {
    const pins: Pin[] = [];
    for (const [name, { pinFacts }] of summaries) {
      const over = pinFacts.lines.findLast(({ support }) => support === 'over');
      const due = pinFacts.lines.find(({ support }) => support === 'soon');
      const line = due ?? (pins.length % 3 === 0 ? pinFacts.lines.at(-1) : over);
      const releases = served.components.get(name)!.releases.map(({ version }) => version);
      const version = releases.find((each) => line && each.startsWith(`${line.line}.`));
      if (version !== undefined && pins.length < pinsOfRun) {
        pins.push([name, version]);
      }
    }

    return pins;
  }

  test('says the own day of each end in use, and has no label without its sentence', async () => {
    const pins = listPins();
    const { origin } = served;
    const run = await runOverPins(pins, { origin, datasource: siteConfig.datasource });
    const bodies = await pullRequestBodies(run.branches);
    const found = { over: 0, soon: 0 };

    for (const [index, upgrades] of run.branches.entries()) {
      for (const { depName, currentValue, addLabels = [] } of upgrades) {
        const line = summaries
          .get(depName)!
          .pinFacts.lines.findLast((each) => currentValue.startsWith(`${each.line}.`));
        const note = bodies[index]!.split('\n').find((text) =>
          text.startsWith(`**[${depName} ${currentValue}]`),
        );
        const labels = [...new Set(addLabels)];
        const expected = { over: ['unsupported'], soon: ['support-ends'], later: [] };

        expect([depName, currentValue, labels]).toEqual([
          depName,
          currentValue,
          line?.support ? expected[line.support] : [],
        ]);
        if (line?.support === 'over' || line?.support === 'soon') {
          found[line.support] += 1;
          expect(note, `${depName} ${currentValue}`).toContain(`: End of support: ${line.end}.`);
        }
      }
    }

    expect(pins).toHaveLength(pinsOfRun);
    expect(found.over).toBeGreaterThan(30);
    expect(found.soon).toBeGreaterThan(5);
    expect(run.problems).toEqual([]);
  });
});
