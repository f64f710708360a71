import { expect, test } from 'vitest';
import { findAdapter, type TypedSource } from '../../../src/record/sources/index.ts';
import { allUpstreams } from '../../harness/imitated-upstreams.ts';

/** The datasources of docs.renovatebot.com/modules/datasource. */
const datasourcesOfRenovate = `
  artifactory aws-eks-addon aws-machine-image aws-rds azure-bicep-resource
  azure-pipelines-tasks azure-tags bazel bitbucket-server-tags bitbucket-tags bitrise
  buildpacks-registry cdnjs clojure conan conda cpan crate custom dart dart-version deb deno
  devbox docker dotnet-version elm-package endoflife-date flutter-version forgejo-releases
  forgejo-tags galaxy galaxy-collection git-refs git-tags gitea-releases gitea-tags
  github-digest github-release-attachments github-releases github-runners github-tags
  gitlab-packages gitlab-releases gitlab-tags glasskube-packages go golang-version
  gradle-version hackage helm hermit hex hexpm-bob java-version jenkins-plugins jsr
  kubernetes-api maven nextcloud node-version npm nuget orb packagist pod puppet-forge pypi
  python-version repology rpm ruby-version rubygems rust-version sbt-package sbt-plugin
  terraform-module terraform-provider typst unity3d unity3d-packages
`
  .trim()
  .split(/\s+/);

test.each([
  ['github-releases', 'https://api.github.com'],
  ['github-releases', 'https://API.github.com:443/'],
  ['github-tags', 'https://api.github.com/'],
  ['gitlab-releases', 'https://gitlab.com'],
  ['gitlab-tags', 'https://gitlab.com/api/v4/'],
] as const)(
  '%s with its default registry %s has the same packages in Renovate',
  (datasource, url) => {
    const source = { datasource, packageName: 'example/kit' };
    const listConditions = (each: TypedSource) => findAdapter(each).renovate?.(each);

    const conditions = listConditions({ ...source, registryUrl: url });
    expect(conditions).toEqual(listConditions(source));
    expect(conditions).not.toEqual(listConditions({ ...source, registryUrl: 'https://x.example' }));
  },
);

test.each([
  ['https://registry', 'registry/team/app'],
  ['https://registry.example.com:5000/', 'registry.example.com:5000/team/app'],
])('an image of the registry %s has no name at Docker Hub', (registryUrl, name) => {
  const source = { datasource: 'docker', packageName: 'team/app', registryUrl } as const;

  expect(findAdapter(source).renovate?.(source)?.matchPackageNames).toEqual([name]);
});

test('the conditions of each source name only datasources that Renovate has', () => {
  const named = allUpstreams.flatMap((upstream) => {
    const source = upstream.source('https://registry.example.com/', []);
    return findAdapter(source).renovate?.(source)?.matchDatasources ?? [];
  });

  expect(named).toContain('npm');
  expect(named.filter((name) => !datasourcesOfRenovate.includes(name))).toEqual([]);
});
