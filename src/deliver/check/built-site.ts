import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { commandLine } from '../../core/command-prefix.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { publishedDocuments } from '../../core/schemas/published/document-schemas.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { digestsFile } from '../../site/digests.ts';
import { publishedPaths } from '../../site/render/paths.ts';
import { folderReader, readRequired, VerificationError } from '../sign/site-reader.ts';
import { findDamage, readDigests } from '../sign/verify-files.ts';

/**
 * Checks that every listed file of a built site is there and whole, that no other file is, and that each JSON document has
 * the form of its schema. Returns every problem; the subject of each is the path of a file.
 */
export async function checkSite(out: string): Promise<Finding[]> {
  if (!existsSync(out)) return [problem(out, `there is no built site. Run: ${commandLine('build')}`)];
  const site = folderReader(out);
  const remedy = `Run: ${commandLine('build')}`;
  const errors: VerificationError[] = [];
  const findings: Finding[] = [];
  try {
    const digests = readDigests(await readRequired(site, digestsFile, remedy), remedy);
    for await (const error of findDamage(site, digests, remedy)) errors.push(error);
    for (const path of site.list!()) {
      const schema = schemaOf(path);
      if (schema) findings.push(...parseDocument((await site.read(path))!, path, schema).findings);
    }
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    errors.push(error);
  }
  return [...errors.map(({ subject, message }) => problem(subject, message)), ...findings];
}

/** A path without a placeholder comes first: `openapi.json` is not the file of a component. */
const patterns = publishedPaths
  .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  .map(({ path, schema }) => ({
    pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/, '[a-z0-9-]+')}$`),
    schema,
  }));

function schemaOf(path: string): z.ZodType | undefined {
  // A part has the form of the whole document.
  const whole = path.replace(/^(all|search)\/\d+\.json$/, '$1.json');
  const schema = patterns.find(({ pattern }) => pattern.test(whole))?.schema;
  return Object.entries(publishedDocuments).find(([name]) => name === schema)?.[1].schema;
}
