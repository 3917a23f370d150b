import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { etcd, kubernetes, type Part, parts } from "../../../artifacts";
import { debian } from "../../../artifacts/debian";
import { goFolder } from "../../../artifacts/go-build";
import { e2eTests, node, pause, testParts } from "../../../artifacts/lock";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../../../versions";

const otherEtcds = ETCD_VERSIONS.filter((version) => version !== versions.etcd).map(etcd);
// Others are ours, of a module that is not built or pinned by another part.
const { pulumiGenerateSdk: _sdk, csiStandIns: _standIns, faultyApiserver: _faulty, ...tested } = testParts;
const all: readonly Part[] = [
    ...[...KUBERNETES_VERSIONS.map(kubernetes), ...otherEtcds, ...Object.values(parts)],
    ...Object.values(tested),
];

describe("the lock", () => {
    it("has the licence and the home page of everything fetched or built", () => {
        for (const { name, licence, homepage } of [...all, node, pause, debian]) {
            assert.match(homepage, /^https:\/\//, name);
            assert(licence.length > 0, name);
        }
    });

    it("has each name and version once", () => {
        const names = all.map(({ name, version }) => `${name} ${version}`);
        assert.deepEqual([...new Set(names)], names);
    });

    for (const { name, version, go, official } of all) {
        describe(`${name} ${version}`, () => {
            const goMod = readFileSync(join(goFolder(go.folder), "go.mod"), "utf8");
            const goSum = readFileSync(join(goFolder(go.folder), "go.sum"), "utf8");

            it("pins the module's version and checksum", () => {
                const [path, tag] = go.module.split("@");
                // The module of Prometheus 3.16.0 is 0.316.0.
                const [major, minor = "", patch] = version.split(".");
                const released = name === "prometheus" ? `0.${major}${minor.padStart(2, "0")}.${patch}` : version;
                assert.equal(tag, `v${released}`);
                assert.match(goMod, new RegExp(`^\\s*(require )?${path} ${tag}\\b`, "m"));
                assert.match(goSum, new RegExp(`^${path} ${tag} h1:`, "m"));
            });

            it("pins every package that it builds as a tool", () => {
                const tools = [...goMod.matchAll(/^(?:tool|\t)\s*([\w./-]+)$/gm)].map(([, tool]) => tool);
                assert.deepEqual(tools.sort(), Object.values(go.binaries).sort());
            });

            it("contains its version in the official addresses, and only complete checksums", () => {
                for (const address of official ? [official.url, official.checksum] : []) {
                    assert.match(address, /^https:\/\//);
                    assert(address.includes(version), address);
                }
                for (const digest of Object.values(official?.sha256 ?? {})) {
                    assert.match(digest, /^[0-9a-f]{64}$/);
                }
            });
        });
    }

    it("builds all of Kubernetes from one version", () => {
        for (const version of KUBERNETES_VERSIONS) {
            const goMod = readFileSync(join(goFolder(kubernetes(version).go.folder), "go.mod"), "utf8");
            const staging = `v0.${version.split(".").slice(1).join(".")}`;
            const replaced = [...goMod.matchAll(/^replace k8s\.io\/\S+ => k8s\.io\/\S+ (\S+)$/gm)].map(([, to]) => to);
            assert(replaced.length > 20);
            assert.deepEqual([...new Set(replaced)], [staging]);
        }
    });

    it("pins the node runtime's package by its registry's checksum", () => {
        for (const integrity of Object.values(node.integrity)) {
            assert.equal(Buffer.from(integrity.replace("sha512-", ""), "base64").length, 64);
        }
    });

    // A test of the Pod Security Standards fails with version 0.0.
    it("stamps Kubernetes' end-to-end tests with their minor version, like the programs they test", () => {
        const { ldflags = [] } = e2eTests.go;
        assert.deepEqual(ldflags, kubernetes(versions.kubernetes).go.ldflags);
        const [, minor] = versions.kubernetes.split(".");
        assert.ok(ldflags.includes(`-X k8s.io/component-base/version.gitMinor=${minor}`));
    });
});
