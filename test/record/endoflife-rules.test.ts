import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findLastFreePhase } from '../../src/core/model/phases.ts';
import type { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { readProduct } from '../../src/record/add/read-product.ts';
import { checkout } from '../harness/checkout.ts';

/** The name of a line, its first day, and its last day or whether it is over. */
type DatedLine = readonly [name: string, from: string, eol: string | boolean];
type Line = DatedLine | readonly [name: string, from: null, eol: string | boolean];

/** The facts of the page of a product. A product without a rule, or without a list that is read, has no lines here. */
interface Page {
  /** How releases are listed. */
  methods: readonly object[];
  /** The comments about ends. */
  rules?: readonly string[];
  lines?: readonly Line[];
}

const { products: pages, releases } = readFacts();
/** The day of these facts. */
const day = '2026-08-22';

function readFacts() {
  const packed = readFileSync(join(checkout, 'test/fixtures/endoflife/rules.json.br'));
  return JSON.parse(brotliDecompressSync(packed).toString()) as {
    products: Readonly<Record<string, Page>>;
    /** The versions of products with a policy, with their days. */
    releases: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** The page as YAML, of which JSON is a part. */
function writePage(title: string, { methods, rules = [], lines = [['1', null, false]] }: Page) {
  const cycles = lines.map(([releaseCycle, releaseDate, eol]) => ({
    releaseCycle,
    releaseDate,
    eol,
  }));
  const fields = Object.entries({ title, auto: { methods }, releases: cycles });
  const facts = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...rules, ...facts, '---'].join('\n');
}

/** The end of each line by a policy. */
function computeEnds(
  support: SupportPolicy,
  versions: readonly (readonly [string, string, ...unknown[]])[],
) {
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const recorded = versions.map(([version, releaseTimestamp]) => ({ version, releaseTimestamp }));
  const { judgement } = judgeRecorded('', definition, { releases: recorded }, day);
  return new Map(
    judgement.lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]),
  );
}

/** Names, some with numbers. */
function splitNames(text: string): string[] {
  return text.trim().split(/,\s+/);
}

const products = Object.entries(pages).map(([name, page]) => {
  const text = writePage(name, page);
  const { sources, facts, notes } = readProduct({ name, text, place: name, day });
  return {
    ...page,
    name,
    isListed: sources.length > 0,
    support: facts.support,
    note: notes.at(-1)!,
  };
});
const both = products.filter(({ isListed, rules }) => isListed && rules !== undefined);
const ruled = both.filter(({ support }) => support !== undefined);

test('265 of 464 products name lists that a source reads, 130 of them a rule, and 58 a rule that is a policy', () => {
  expect({
    products: products.length,
    listed: products.filter(({ isListed }) => isListed).length,
    both: both.length,
    ruled: ruled.length,
  }).toEqual({ products: 464, listed: 265, both: 130, ruled: 58 });
});

/** The rule is the policy, and gives each stated day of an end. goaccess has none of them. */
const equal = splitNames(`
  apache-couchdb, backdrop, boundary, cilium, cnspec, contour, dovecot, gatekeeper, gitlab-runner, gleam,
  goaccess, grunt, hashicorp-packer, keda, ldap-account-manager, liquibase, nomad, notepad-plus-plus, nvm,
  pigeonhole, telegraf, terraform, weechat, youtrack`);

/** The rule is the policy. It gives another end for some lines, and the state today for all of them. */
const different = splitNames(`
  apache-artemis 4, apache-cassandra 1, apache-nifi 1, api-platform 2, argo-cd 12, argo-workflows 1, cachet 1,
  calico 1, cert-manager 1, coder 1, consul 1, dbt-core 2, fluent-bit 3, flux 1, foreman 3, gerrit 5, go 1,
  harbor 1, jhipster 1, keycloak 2, kubernetes-csi-node-driver-registrar 1, kubernetes-node-feature-discovery 3,
  kyverno 1, meilisearch 5, memcached 1, nginx 10, opnsense 2, privatebin 3, react-native 12, renovate 1,
  sonarqube-community 3, thumbor 1, vitess 1, wordpress 2`);

/** Ends are as stated: the rule gives most of them otherwise, or another state today. */
const contradicted = splitNames(`
  adonisjs 1 of 2, bazel 6 of 6, bigbluebutton 1 of 3, dependency-track 1 of 8, gitlab 50 of 63, graylog 24 of 25,
  hashicorp-vault 8 of 13, karpenter 9 of 14, nuxt 3 of 3, openbao 4 of 6, openzfs 3 of 4, ovirt 5 of 6,
  phoenix-framework 3 of 5, podman 16 of 25, rust 43 of 69, sourcegraph 2 of 3, tails 4 of 6,
  tailwind-css 1 of 21, teleport 1 of 1, yocto 12 of 15`);

/** Ends are as stated: the rule is in words, there are several, or lines have another form. */
const unread = splitNames(`
  alpine-linux, apache-activemq, apache-apisix, apache-camel, apache-hadoop, apache-spark, authentik,
  bitcoin-core, blender, centreon, cfengine, clickhouse, cockroachdb, composer, deno, docker-engine, elixir,
  emberjs, envoy, erlang, etcd, freedesktop-sdk, grafana-loki, gstreamer, guzzle, hibernate-orm, icinga-web,
  icinga, influxdb, jenkins, jruby, kirby, kong-gateway, kotlin, mysql, nextjs, nexus, nix, numpy, openwrt,
  proftpd, prometheus, qt, quarkus-framework, robo, sapmachine, scala, shopware, solr, symfony, wireshark, zookeeper`);

test('a rule that is a policy gives the stated ends, or the note of "add" says how many it does not', () => {
  const results = ruled.map(({ name, lines = [], support, note }) => {
    const dated = lines.filter((line): line is DatedLine => line[1] !== null);
    const ends = computeEnds(support!, dated);
    const others = dated.filter(([line, , eol]) => {
      const until = ends.get(line);
      return typeof eol === 'string' && (until !== undefined || eol < day) && until !== eol;
    });
    const noted = / is another end for (\d+) of /.exec(note)?.[1];
    expect(Number(noted ?? 0), name).toBe(others.length);

    return noted === undefined ? name : `${name} ${noted}`;
  });

  expect(results.filter((text) => !text.includes(' '))).toEqual(equal);
  expect(results.filter((text) => text.includes(' '))).toEqual(different);
});

test('any other rule leaves the ends as stated, and the note of "add" compares them', () => {
  const results = both
    .filter(({ support }) => support === undefined)
    .map(({ name, note }) => {
      const [, rule, count] =
        /^support: as stated at \S+ for "[^"]+"(; its rule gives another end for (\d+ of \d+) )?/.exec(
          note,
        )!;
      return rule === undefined ? name : `${name} ${count}`;
    });

  expect(results.filter((text) => text.includes(' '))).toEqual(contradicted);
  expect(results.filter((text) => !text.includes(' '))).toEqual(unread);
});

test('by a policy and the real releases, today each line has the state that is stated', () => {
  const others: string[] = [];
  let [equal, compared] = [0, 0];

  for (const { name, lines = [], support } of ruled) {
    const ends = computeEnds(support!, Object.entries(releases[name]!));

    for (const [line, , eol] of lines.filter(([each]) => ends.has(each))) {
      const until = ends.get(line);
      const isOver = until !== undefined && until < day;
      compared += Number(isOver);
      equal += Number(isOver && until === eol);

      if (isOver !== (typeof eol === 'string' ? eol < day : eol)) {
        others.push(`${name} ${line}: ${eol}, by the rule ${until}`);
      }
    }
  }

  // The new line of the first three is younger than their page; npm lists react-native 1000.0.0, which no other list has.
  expect(others).toEqual([
    'apache-artemis 2.55: false, by the rule 2026-08-21',
    'kubernetes-csi-node-driver-registrar 2.16: false, by the rule 2026-05-21',
    'kyverno 1.16: false, by the rule 2026-08-20',
    'react-native 0.85: false, by the rule 2026-08-11',
  ]);
  expect([equal, compared]).toEqual([694, 858]);
});
