import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError, isError, problem, type Finding } from '../../core/schemas/finding.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { counted } from '../../core/text.ts';
import { parseDocument } from '../../io/files/documents.ts';
import type { Root } from '../../io/files/root.ts';
import { baseUrlOf } from '../../site/render/preset.ts';
import { buildSite, type BuildOptions } from '../../site/build-site.ts';
import { digestsFile } from '../../site/digests.ts';
import { digestInputs } from '../../site/inputs.ts';
import { ownFiles } from '../../site/own-files.ts';
import { schemaOf } from '../publish/index-documents.ts';
import { findDamage, folderReader, readDigests, readRequired } from '../sign/site-reader.ts';
import { VerificationError } from '../sign/site-reader.ts';

/**
 * Checks that every listed file of a built site is there and whole, that no other file is, and that each JSON document has
 * the form of its schema. Returns every problem; the subject of each is the path of a file.
 */
export async function checkSite(out: string): Promise<Finding[]> {
  if (!existsSync(out)) return [problem(out, 'there is no built site. Run: npx release-index build')];
  const site = folderReader(out);
  const remedy = 'Run: npx release-index build';
  const findings: Finding[] = [];
  const report = ({ subject, message }: VerificationError) => findings.push(problem(subject, message));
  try {
    const digests = readDigests(await readRequired(site, digestsFile, remedy), remedy);
    for await (const error of findDamage(site, digests, remedy)) report(error);
    const ofForm: Finding[] = [];
    for (const path of site.list!()) {
      const schema = schemaOf(path, 'schema');
      if (schema) ofForm.push(...parseDocument((await site.read(path))!, path, schema).findings);
    }
    findings.push(...(findings.length > 0 ? ofForm : ofOtherProgram(ofForm, remedy)));
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    report(error);
  }
  return findings;
}

/** After an upgrade, each document may have another form than the one it was built with. */
function ofOtherProgram([first, ...others]: readonly Finding[], remedy: string): Finding[] {
  if (!first) return [];
  const more = others.length > 0 ? `, and ${counted(others.length, 'more problem')}` : '';
  const message = `${first.message}${more}. The files are whole, so another version of the program built them. ${remedy}`;
  return [{ ...first, message }];
}

/**
 * The problems of the built site of a root. One that was built before its definitions or data changed is compared with its
 * own list of digests only: while a person edits, it is out of date most of the time.
 */
export async function checkBuiltSite(root: Root, out: string): Promise<Finding[]> {
  const findings = await checkSite(out);
  const baseUrl = baseUrlOf(out);
  if (findings.length > 0 || baseUrl === undefined) return findings;
  const { asOf, inputs } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  return inputs === digestInputs(root) ? compareWithFreshBuild({ root, out, day: asOf, baseUrl }) : [];
}

/**
 * Builds the site a second time, elsewhere, and compares: digests show only that nothing changed since some build, not that
 * these definitions and this data give it. Expects a site in which `checkSite` found nothing.
 */
export function compareWithFreshBuild({ out, ...options }: BuildOptions & { baseUrl: string }): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  const fresh = join(folder, 'dist');
  try {
    buildSite({ ...options, out: fresh });
    const [first, ...others] = differingFiles(out, fresh);
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : `, as do ${counted(others.length, 'other file')}`;
    return [problem(first, `differs from a fresh build${more}. Run: npx release-index build`)];
  } catch (error) {
    if (error instanceof InputError) return error.findings.filter(isError);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differingFiles(out: string, fresh: string): string[] {
  const [here, there] = [ownFiles(out), ownFiles(fresh)];
  const paths = new Set([...here.keys(), ...there.keys()]);
  return [...paths].filter((path) => here.get(path) !== there.get(path)).sort();
}
