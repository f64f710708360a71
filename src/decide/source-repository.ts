import { isSameRepository } from '../core/model/repository.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { Provenance } from '../core/schemas/recorded/provenance.ts';
import type { PublishedProvenance } from '../core/schemas/published/details-file.ts';
import type { Source } from '../core/schemas/definition/source.ts';
import { buildWords, repositoryName } from './sentences.ts';

/** The published provenance of a release: with its text, which names the source repository if that is another one. */
export function publishedProvenance(
  provenance: Provenance,
  definition: Definition,
): PublishedProvenance {
  const sentences = [`${buildWords(provenance)}.`, ...otherRepository(provenance, definition)];
  return { ...provenance, text: sentences.join(' ') };
}

/** A sentence that names the source repository if the release was built in another repository. */
export function otherRepository({ repository }: Provenance, definition: Definition): string[] {
  const source = sourceRepositoryOf(definition);
  if (source === undefined || isSameRepository(repository, source)) {
    return [];
  }

  return [`Its source repository is ${repositoryName(source)}.`];
}

/** A repository at a known host. The address may continue to a folder or heading. */
const repositoryPage =
  /^https:\/\/(?:(?:www\.)?(?:github\.com|codeberg\.org|bitbucket\.org)\/[^/?#]+\/[^/?#]+|gitlab\.com\/[^?#]+?(?=\/-\/|\/?$|[?#]))/i;

/** The repository in the definition, else its homepage if that is a repository, else the first repository among its sources. */
export function sourceRepositoryOf({
  sourceRepository,
  homepage,
  sources,
}: Pick<Definition, 'sourceRepository' | 'homepage' | 'sources'>): string | undefined {
  return (
    sourceRepository ?? repositoryPage.exec(homepage)?.[0] ?? sources.flatMap(repositoryRead)[0]
  );
}

function repositoryRead({ datasource, packageName = '', registryUrl }: Source): string[] {
  if (datasource === 'git-tags') {
    return [packageName];
  }

  const [, host] = /^(github|gitlab)-/.exec(datasource) ?? [];
  if (host === undefined) {
    return repositoryPage.exec(`https://${packageName}`)?.slice(0, 1) ?? [];
  }

  const origin = new URL(registryUrl ?? `https://${host}.com`).origin.replace(
    '//api.github.com',
    '//github.com',
  );

  return [`${origin}/${packageName}`];
}
