import { problem, type Finding } from '../../core/schemas/finding.ts';
import { counted, listed, sentence } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import type { Live, LiveSite, PublishedComponent } from './live.ts';

type Site = Pick<LiveSite, 'asOf' | 'index'>;

export interface CompareOptions {
  /** Where readers find the live site. */
  address: string;
  /** A person has seen the breaking changes, and accepts them. */
  accept: boolean;
  /** The command that accepts them. */
  remedy: string;
}

/** The changes that a new site would bring to readers of the live one. An error must keep it from being published. */
export function compareWithLive(
  live: Live,
  site: Site,
  { address, accept, remedy }: CompareOptions,
): Finding[] {
  if (live.kind === 'nothing') {
    const message = `${sentence(live.reason)} Nothing to compare with.`;
    return [{ level: 'notice', subject: 'live site', message }];
  }
  const breaking =
    live.kind === 'site' ? breakingChanges(live.site, site) : [problem('live site', live.reason)];
  if (breaking.length === 0) return [];
  if (accept)
    return breaking.map((finding): Finding => {
      return { ...finding, level: 'warning', message: `${sentence(finding.message)} Accepted.` };
    });
  const why =
    live.kind === 'site'
      ? `readers of ${address} would lose this`
      : `${address} could not be read, so losses of its readers are unknown`;
  return [
    ...breaking,
    problem('publish', `${why}. The live site stays as it is. To publish all the same: ${remedy}`),
  ];
}

/** Readers would lose releases or components, or get an older day. */
export function breakingChanges(live: Site, { asOf, index }: Site): Finding[] {
  const breaking = [...live.index]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, was]) => lossesOf(was, index.get(name)).map((message) => problem(name, message)));
  if (asOf >= live.asOf) return breaking;
  return [
    problem('status.json', `the site is of ${asOf}, older than the live one of ${live.asOf}`),
    ...breaking,
  ];
}

function lossesOf(was: PublishedComponent, now: PublishedComponent | undefined): string[] {
  if (!now) return [`is live with ${counted(was.releases.length, 'release')} and not in the site`];
  const present = new Map(now.releases.map((release) => [release.version, release]));
  const removed = was.releases.map(({ version }) => version).filter((version) => !present.has(version));
  const losses = removed.length === 0 ? [] : [`${listed(removed, 5)}: live and not in the site`];
  const [from, to] = [was.tags?.latest, now.tags?.latest];
  if (from === undefined || !isBackwards(from, to) || present.get(from)?.isDeprecated) return losses;
  const message = `the latest release of the live site is ${from}; of this one, ${to ?? 'none'}, although ${from} is not deprecated`;
  return [...losses, message];
}

function isBackwards(from: string, to: string | undefined): boolean {
  if (from === to) return false;
  const [old, now] = [parseVersion(from), to === undefined ? undefined : parseVersion(to)];
  return !old || !now || compareVersions(now, old) < 0;
}
