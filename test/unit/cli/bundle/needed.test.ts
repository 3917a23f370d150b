import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBundleConfig } from "../../../../cli/bundle/config";
import { neededBy } from "../../../../cli/bundle/needed";
import { publishedKubelet } from "../../../../cluster/downloads";
import { versions } from "../../../../versions";
import { images } from "../../../../versions/images";

const sha256 = "1".repeat(64);
const namesOf = (all: readonly string[]) => all.map((image) => image.replace(/@.*$/, ""));

describe("what a bundle has", () => {
    it("is everything that machines of a stack may pull and download, whatever options are set later", () => {
        const { images: found, files, kubernetes } = neededBy({ cloud: "aws" }, ["amd64"]);
        const names = namesOf(found);
        assert.deepEqual(kubernetes, [versions.kubernetes]);
        for (const [name, image] of Object.entries(images)) {
            const isMissing = ["busybox", "kubelet", "localPathProvisioner"].includes(name);
            assert.equal(names.includes(image), !isMissing, image);
        }
        for (const [text, count] of [
            ["provider-aws", 2],
            ["digitalocean", 0],
            ["sig-storage", 7],
        ] as const) {
            assert.equal(names.filter((image) => image.includes(text)).length, count, text);
        }
        const paths = files.map(({ url }) => new URL(url).pathname.split("/").pop());
        assert.deepEqual(paths, ["kubelet", `cni-plugins-linux-amd64-v${versions.cniPlugins}.tgz`]);
    });

    it("has images by the digest that is known", () => {
        const { images: found } = neededBy({ cloud: "aws" }, ["amd64"]);
        assert(found.some((image) => /^registry\.k8s\.io\/pause:[\d.]+@sha256:/.test(image)));
    });

    it("has no images of clouds for local clusters, but theirs", () => {
        const names = namesOf(neededBy({}, ["amd64"]).images);
        assert(names.includes(images.localPathProvisioner) && names.includes(images.busybox));
        assert(!names.some((image) => /provider-aws|digitalocean|sig-storage|autoscaler/.test(image)));
    });

    it("has several versions and architectures", () => {
        const { images: found, files } = neededBy(
            { cloud: "aws", images: { coredns: "registry.example/dns:v9" } },
            ["amd64", "arm64"],
            ["1.36.3", "1.37.1"],
        );
        const names = namesOf(found);
        for (const version of ["1.36.3", "1.37.1"]) {
            assert(names.includes(`registry.k8s.io/kube-apiserver:v${version}`), version);
            for (const architecture of ["amd64", "arm64"] as const) {
                assert(files.some(({ url }) => url === publishedKubelet(version, architecture)));
            }
        }
        assert(names.includes("registry.example/dns:v9"));
        assert.equal(files.length, 6);
    });

    it("follows the configuration: own images, checksums, kubelets as pods, other images", () => {
        const own = `registry.example/kube-proxy:v${versions.kubernetes}`;
        const urls = ["http://10.0.0.5:5000/files/dl.k8s.io/kubelet"];
        const { images: found, files } = neededBy(
            {
                images: { kubeProxy: own },
                selfHosted: { kubelet: true },
                downloads: { kubelet: { urls, sha256 }, containerRuntime: { containerd: { sha256 } } },
                ecrPulls: true,
            },
            ["amd64"],
            [],
            ["registry.example/app:v1"],
        );
        assert(found.includes(own) && found.includes("registry.example/app:v1"));
        assert(namesOf(found).includes(images.kubelet));
        assert.deepEqual(
            files.map(({ url }) => new URL(url).host),
            ["artifacts.k8s.io", "dl.k8s.io", "github.com", "github.com", "github.com"],
        );
        assert.equal(files.find(({ url }) => url === publishedKubelet(versions.kubernetes, "amd64"))?.sha256, sha256);
    });

    it("is refused for a version that is not supported, or whose checksum is unknown", () => {
        assert.throws(
            () => neededBy({}, ["amd64"], ["1.33.1"]),
            /^Error: --kubernetes must be a release of .* \(got 1\.33\.1\)$/,
        );
        assert.throws(
            () => neededBy({ kubernetesVersion: "1.36.99" }, ["amd64"]),
            /downloads\.kubelet\.sha256 must be that of kubelet 1\.36\.99/,
        );
    });
});

describe("the configuration of a bundle", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-bundle-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const read = (text: string) => {
        writeFileSync(join(folder, "Pulumi.prod.yaml"), text);
        return readBundleConfig(join(folder, "Pulumi.prod.yaml"), folder);
    };

    it("is that of a stack, also as pulumi config set writes it", () => {
        const config = read(`config:
  aws:region: eu-central-1
  tradewind:cloud: aws
  tradewind:imageDigests: "false"
  tradewind:downloads: '{"kubelet":{"sha256":"${sha256}","urls":["http://x/"]}}'
  tradewind:workerPools: [{name: default}]
`);
        assert.deepEqual(config, { cloud: "aws", imageDigests: false, downloads: { kubelet: { sha256 } } });
        assert.deepEqual(read(""), {});
    });

    it("is the only one of the project in the folder", () => {
        assert.throws(() => readBundleConfig(undefined, folder), /there is no Pulumi\.yaml in /);
        writeFileSync(join(folder, "Pulumi.yaml"), "name: x\n");
        assert.throws(() => readBundleConfig(undefined, folder), /FILE is required: .*in this folder: none/);
        writeFileSync(join(folder, "Pulumi.prod.yaml"), "config: {tradewind:cloud: aws}\n");
        assert.deepEqual(readBundleConfig(undefined, folder), { cloud: "aws" });
        writeFileSync(join(folder, "Pulumi.test.yaml"), "");
        assert.throws(() => readBundleConfig(undefined, folder), /Pulumi\.prod\.yaml, Pulumi\.test\.yaml\)$/);
    });

    it("is refused with its file, the key and the value", () => {
        assert.throws(
            () => read("config: {tradewind:cloud: mars}"),
            /prod\.yaml: tradewind:cloud must be one of local, .* \(got "mars"\)/,
        );
        assert.throws(
            () => read("config: {tradewind:downloads: {kubelet: {sha256: x}}}"),
            /downloads\.kubelet\.sha256 must be a SHA-256/,
        );
        assert.throws(() => read("config: ["), /must be valid YAML/);
        assert.throws(() => readBundleConfig("/none.yaml", folder), /FILE must be .* \(got \/none\.yaml\)/);
    });
});
