import { readFileSync } from 'node:fs';
import { UsageError, type Invocation, type Options } from './command.ts';

/**
 * What judges the list of digests by an attestation of GitHub; undefined where none is given. Throws a UsageError. Sigstore's
 * verifier is loaded only where it is needed.
 */
export async function openAttestation(
  options: Invocation['options'],
): Promise<((digest: string) => string) | undefined> {
  refuseHalves(options);
  const { bundle, repository, 'signer-workflow': signerWorkflow, 'trusted-root': trustedRoot } = options;
  if (typeof bundle !== 'string') return undefined;
  requireForm('repository', repository, /^[\w.-]{1,40}\/[\w.-]{1,60}$/, 'OWNER/REPOSITORY');
  if (signerWorkflow !== undefined) {
    const form = /^[\w.-]+\/[\w.-]+\/\.github\/workflows\/[\w.-]+$/;
    requireForm('signer-workflow', signerWorkflow, form, 'OWNER/REPOSITORY/.github/workflows/FILE.yml');
  }
  const input = {
    name: bundle,
    text: readFileSync(bundle, 'utf8'),
    repository: String(repository),
    ...(signerWorkflow !== undefined && { signerWorkflow: String(signerWorkflow) }),
    ...(trustedRoot !== undefined && { trustedRoots: readFileSync(String(trustedRoot), 'utf8') }),
  };
  const { verifyBuildAttestation } = await import('../../deliver/proof/build-attestation.ts');
  return (digest: string) => verifyBuildAttestation(input, digest);
}

function refuseHalves(options: Invocation['options']): void {
  const given = (name: string) => options[name] !== undefined;
  if (given('bundle') !== given('repository'))
    throw new UsageError(
      '--bundle and --repository belong together: which file, and whose workflow must have built it',
    );
  for (const name of ['signer-workflow', 'trusted-root'])
    if (given(name) && !given('bundle')) throw new UsageError(`--${name} means nothing without --bundle`);
}

function requireForm(option: string, value: Options[string], form: RegExp, expected: string): void {
  if (!form.test(String(value))) throw new UsageError(`--${option}: expected ${expected}; got "${value}"`);
}
