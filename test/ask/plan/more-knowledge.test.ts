import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Compatibility } from '../../../src/core/schemas/definition/works-with.ts';
import { compareVersions, parseVersion } from '../../../src/core/model/version.ts';
import { listMoves } from '../../../src/ask/plan/plan-outcomes.ts';
import { definition } from '../../harness/root.ts';

import { files, planInMemory, shortSteps } from './planning.ts';

const svcVersion = fc.constantFrom('2024.3', '2025.1', '2025.4', '2026.1', '2026.3');
const agentVersion = fc.constantFrom('3.9', '4.2', '4.3', '4.3.1', '4.5');
const edgeVersion = fc.constantFrom('1.9', '2.0', '2.1');
const entry = fc.oneof(
  fc.record({ versions: agentVersion, from: svcVersion }),
  fc.record({ versions: agentVersion, before: svcVersion }),
  fc
    .record({ versions: agentVersion, from: svcVersion, testedTo: svcVersion })
    .filter(({ from, testedTo }) => from <= testedTo),
);

const recordedOf = {
  svc: files['data/svc.json'],
  agent: files['data/agent.json'],
  edge: files['data/edge.json'],
};

/** An index with these statements of the agent, on the server and on the edge node. */
function definitionsWith(onServer: readonly Compatibility[], onEdge: readonly Compatibility[]) {
  const worksWith = {
    ...(onServer.length > 0 && { svc: onServer }),
    ...(onEdge.length > 0 && { edge: onEdge }),
  };

  return {
    svc: files['components/svc.json'],
    agent: definition({ title: 'Agent', worksWith }),
    edge: definition({ title: 'Edge node' }),
  };
}

const isLower = (one: string, other: string) =>
  compareVersions(parseVersion(one)!, parseVersion(other)!) < 0;

describe('more knowledge', () => {
  test('never makes the plan worse', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 3 }),
        svcVersion,
        agentVersion,
        edgeVersion,
        async (statements, svc, agent, edge) => {
          const list = [
            ['svc', svc],
            ['agent', agent],
            ['edge', edge],
          ] as const;
          const without = await planInMemory(list, definitionsWith(statements, []), recordedOf);
          // A condition that is met, a good word for every pair, and sources that know no advisory.
          const met: Compatibility = { versions: '*', from: '1.0', feature: 'caching' };
          const good: Compatibility = { versions: '*', from: '1.0' };
          const {
            svc: server,
            agent: own,
            edge: node,
          } = definitionsWith([...statements, met], [good]);
          const known = {
            svc: { ...server, advisories: [] },
            agent: { ...own, advisories: [] },
            edge: { ...node, advisories: [] },
          };
          const more = await planInMemory(list, known, recordedOf);

          expect(more.conflicts.length).toBeLessThanOrEqual(without.conflicts.length);
          expect(shortSteps(more)).toEqual(shortSteps(without));
          expect(more.nothingToDo).toEqual(without.nothingToDo);
          expect(without.notes).toContain('Advisories: not known for 3 of 3.');
          expect(without.notes).toEqual(expect.arrayContaining(more.notes));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('never leads below what somebody runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 4 }),
        svcVersion,
        agentVersion,
        async (statements, svc, agent) => {
          const { steps, items, nothingToDo, conflicts } = await planInMemory(
            [
              ['svc', svc],
              ['agent', agent],
            ],
            definitionsWith(statements, []),
            recordedOf,
          );

          for (const { component, from, to } of steps.flatMap(listMoves)) {
            expect(to.component === component && isLower(to.version, from)).toBe(false);
          }

          const accounted = [
            ...steps.flatMap(listMoves).map(({ component, from }) => `${component}@${from}`),
            ...nothingToDo,
          ];
          // A version that cannot move is named with the version that it would go to.
          const inConflict = conflicts.flatMap(({ between }) =>
            between.map((name) => name.replace(/@.*/, '')),
          );
          expect(
            items.every(
              (item) =>
                accounted.includes(`${item.component}@${item.version}`) ||
                inConflict.includes(item.component),
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});
