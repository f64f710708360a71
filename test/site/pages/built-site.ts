import { checkout, fixtureIndex } from '../../harness/checkout.ts';
import { addDays } from '../../../src/core/model/dates.ts';
import { readJsonIn, writeIn } from '../../harness/root.ts';
import { rootOf, siteOf, type TestComponent } from '../../harness/site.ts';
import { syntheticComponents, type SyntheticComponent } from './synthetic.ts';

export const asOf = '2026-11-20';

/** The site of the frozen index of the fixtures. */
export function buildFixtureIndex(): string {
  return siteOf(fixtureIndex);
}

/** The site of a root that has only these components, which asks agents for a credential. */
export function buildSynthetic(components: Readonly<Record<string, TestComponent>>): string {
  const root = rootOf(components);
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  writeIn(root, 'site/site.json', readJsonIn(checkout, 'site/site.json'));
  writeIn(root, 'site/access.json', { protect: 'mcp', users });
  return siteOf(root, asOf, 'https://releases.example.com');
}

/** As many components as a large index has: every fourth supports each of its lines for a time. */
export function buildMany(): string {
  const { calm } = syntheticComponents();
  const many = Array.from({ length: 403 }, (_, index): [string, SyntheticComponent] => {
    const { support, ...listed } = calm!.definition as { support: object };
    const definition = {
      ...listed,
      title: `Tool number ${index}`,
      ...(index % 4 === 0 && { support }),
    };
    const releases = calm!.releases.slice(-16 - (index % 8)).map((release) => ({
      ...release,
      releaseTimestamp: addDays(release.releaseTimestamp!.slice(0, 10), -index % 80),
    }));
    return [`tool-${index}`, { ...calm!, definition, releases }];
  });
  return buildSynthetic(Object.fromEntries(many));
}
