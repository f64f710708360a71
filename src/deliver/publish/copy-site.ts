import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { problem } from '../../core/schemas/finding.ts';
import { hostOf } from '../../core/schemas/site-config.ts';
import { listed } from '../../core/text.ts';
import { fileErrorReason } from '../../io/files/file-system.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { signedPaths } from '../../site/own-files.ts';
import { uploadStages } from '../host/server-settings.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../sign/sign-site.ts';
import { compareWithLive, readCopy, type Live } from './live.ts';
import { makePlan } from './plan.ts';
import { asNotice, checkDay, isError, prepareSite, servedDigests, tellChanges } from './prepare-site.ts';
import type { Publication, PublishInput } from './publish-site.ts';

/**
 * Puts the site into a folder that a server of files serves, in an order in which no document names a file that is not there:
 * files, documents about the whole index, digests; what is gone goes last. Each file is switched as a whole.
 */
export async function copySite(input: PublishInput, to: string | undefined): Promise<Publication> {
  const { out, config, env, isDryRun, accept } = input;
  const refuse = (subject: string, message: string): Publication => ({
    kind: 'refused',
    findings: [problem(subject, message)],
  });
  if (to === undefined) {
    const deploys = hostOf(config) === 'pages' ? 'the workflow "pages" deploys the site. ' : '';
    return refuse(
      'site/site.json',
      `"hosting": "${hostOf(config)}": ${deploys}To copy it: publish --to FOLDER`,
    );
  }
  const signing = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  const { site, findings } = await prepareSite(input, signing.key !== undefined);
  findings.push(...(isDryRun ? signing.findings.map(asNotice) : signing.findings));
  if (site) findings.push(...checkDay(site, input));
  if (!site || findings.some(isError)) return { kind: 'refused', findings };
  const live = await readFolder(to);
  findings.push(...compareWithLive(live, site, { address: to, accept, remedy: 'publish --accept' }));
  findings.push(...tellChanges(live, site, input));
  if (findings.some(isError)) return { kind: 'refused', findings };

  if (!isDryRun && signing.key) signSite({ ...input, key: signing.key, asOf: site.asOf });
  const digests = servedDigests(out, site);
  const plan = makePlan({ baseUrl: to, worker: '', asOf: site.asOf, digests, live });
  if (isDryRun) return { kind: 'planned', plan, findings };
  try {
    const sentFiles = copyFiles(out, to, digests);
    const gone = [...plan.gone, ...signedPaths(plan.gone)].filter((path) => !digests.has(path));
    for (const path of gone) rmSync(join(to, path), { force: true });
    const wrong = [...digests].filter(([path, digest]) => sha256(readFileSync(join(to, path))) !== digest);
    if (wrong.length > 0)
      throw new Error(
        `differs after it was copied: ${listed(
          wrong.map(([path]) => path),
          3,
        )}`,
      );
    const rollBack = `build the commit of an earlier day, then: publish --to ${to} --accept`;
    return {
      kind: 'published',
      plan,
      findings,
      versionId: site.asOf,
      sentFiles,
      verifiedFiles: digests.size,
      rollBack,
    };
  } catch (error) {
    const reason = fileErrorReason(error) ?? (error as Error).message;
    const message = `${reason}. Each file there is whole, the old one or the new one; publish again`;
    return { kind: 'failed', plan, findings: [...findings, problem(to, message)] };
  }
}

/** What is served from the folder now. */
async function readFolder(to: string): Promise<Live> {
  if (!existsSync(to) || readdirSync(to).length === 0)
    return { kind: 'nothing', reason: `nothing is in ${to} yet` };
  try {
    return { kind: 'site', site: await readCopy(to) };
  } catch (error) {
    return { kind: 'unreadable', reason: `${to}: ${(error as Error).message}` };
  }
}

/** Returns how many files were not there yet in this form. */
function copyFiles(out: string, to: string, digests: ReadonlyMap<string, string>): number {
  let copied = 0;
  for (const path of uploadStages(digests.keys()).flat()) {
    const target = join(to, path);
    if (existsSync(target) && sha256(readFileSync(target)) === digests.get(path)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(out, path), `${target}.next`);
    renameSync(`${target}.next`, target);
    copied++;
  }
  return copied;
}
