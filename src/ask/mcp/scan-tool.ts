import * as z from 'zod';
import { counted, listed, quote } from '../../core/text.ts';
import { readEntries } from '../scan/bill-of-materials.ts';
import { uniqueEntries } from '../scan/items.ts';
import { mostScanWork, TooMuchToScanError } from '../scan/components.ts';
import { unwatchedSentence } from '../scan/reports.ts';
import {
  defaultPolicies,
  isForeign,
  parsePublishedPolicy,
  policyNamed,
  scanEntries,
  worstResults,
} from '../scan/scan-items.ts';
import { defineTool, listText, WrongArgumentError } from './tool.ts';

export const scanTool = defineTool({
  name: 'scan',
  title: 'Scan a bill of materials',
  description:
    'Judges each item in a CycloneDX or SPDX document (JSON), or in a list with a name=version or package URL in each line.',
  input: z.strictObject({
    document: z.string().min(1).max(60_000).describe('Its text'),
    policies: z
      .array(z.string())
      .min(1)
      .default([...defaultPolicies])
      .describe('Such as supported, secure, current'),
  }),
  output: z.object({
    asOf: z.string(),
    results: z.array(z.object({ thing: z.string(), policy: z.string(), status: z.string() })),
    others: z.number().describe('Items that are not in the index'),
  }),
  async answer({ document, policies: names }, { index, day }) {
    const known = await index.policies();
    const policies = Array.from(new Set(names), (name) =>
      parsePublishedPolicy(policyNamed(known, name), day),
    );
    const entries = uniqueEntries(entriesOf(document));
    const all = await scanEntries(entries, policies, { index, day, mostWork: mostScanWork }).catch(
      explain,
    );
    const scanned = worstResults(all);
    const ours = scanned.filter(({ scan, isUnwatched }) => !isForeign(scan) && !isUnwatched);
    const results = ours.map(({ scan, policy }) => {
      const { thing, status, details } = scan;
      return { thing, policy: policy.name, status, ...details };
    });
    const others = new Set(
      scanned.filter(({ scan }) => isForeign(scan)).map(({ scan }) => scan.thing),
    ).size;
    const lines = results.map(({ thing, policy, status, reason }) =>
      `${thing}: ${policy} ${status}. ${reason ?? ''}`.trim(),
    );
    const head = `${counted(results.length, 'result')} on ${day}; ${counted(others, 'thing')} not of this index.`;
    return {
      text: await listText(index, [head, unwatchedSentence(scanned) ?? []].flat().join(' '), lines),
      content: { asOf: day, results, others },
    };
  },
});

function explain(error: Error): never {
  throw error instanceof TooMuchToScanError
    ? new WrongArgumentError(`document: ${error.message}`)
    : error;
}

function entriesOf(document: string) {
  try {
    const { entries, problems } = readEntries(document);
    if (problems.length > 0) {
      throw new Error(listed(problems, 10));
    }
    if (entries.length === 0) {
      throw new Error('it has nothing to judge');
    }
    return entries;
  } catch (error) {
    throw new WrongArgumentError(`document: ${(error as Error).message}; got ${quote(document)}`);
  }
}
