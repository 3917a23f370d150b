import assert from "node:assert/strict";
import { type AwsDownloads, downloadsFor as forVersion } from "../../../../components/aws/downloads";
import { downloads } from "../in-cluster/fixture";

const { kubelet, cniPlugins } = downloads;
const downloadsFor = (given: AwsDownloads, architecture: "amd64" | "arm64", ecr: { ecrPulls?: boolean } = {}) =>
    forVersion(given, "1.36.3", architecture, ecr);
const arm64 = { kubelet: { ...kubelet, sha256: "a".repeat(64) }, cniPlugins };

describe("what machines on AWS fetch", () => {
    it("is what is made for their architecture, from the mirror of all", () => {
        const registryMirror = "http://mirror.example:5000";
        const all = { kubelet, cniPlugins, arm64, registryMirror };
        assert.deepEqual(downloadsFor(all, "amd64"), { kubelet, cniPlugins, registryMirror });
        const otherCniPlugins = [cniPlugins];
        assert.deepEqual(
            downloadsFor({ ...all, arm64: { ...arm64, otherCniPlugins } }, "arm64").otherCniPlugins,
            otherCniPlugins,
        );
        const runtime = { containerd: cniPlugins, runc: kubelet };
        const runtimes = { containerRuntime: runtime, otherContainerRuntimes: [runtime] };
        assert.deepEqual(downloadsFor({ ...all, ...runtimes }, "amd64").otherContainerRuntimes, [runtime]);
        const otherKubelets = { "1.35.4": kubelet };
        assert.deepEqual(downloadsFor({ ...all, otherKubelets }, "amd64").otherKubelets, otherKubelets);
        assert.deepEqual(downloadsFor(all, "arm64"), { ...arm64, registryMirror });
    });

    it("has the pinned credential provider of its architecture, or another one, where machines pull from ECR", () => {
        const all = { kubelet, cniPlugins, arm64 };
        const ecr = { ecrPulls: true };
        for (const architecture of ["amd64", "arm64"] as const) {
            const { urls, sha256 } = downloadsFor(all, architecture, ecr).ecrCredentialProvider!;
            assert.match(urls[0]!, new RegExp(`/linux/${architecture}/ecr-credential-provider-linux-${architecture}$`));
            assert.match(sha256, /^[0-9a-f]{64}$/);
            assert.equal(downloadsFor(all, architecture).ecrCredentialProvider, undefined);
        }
        const other = { urls: ["https://mirror.example/provider"], sha256: "b".repeat(64) };
        assert.deepEqual(
            downloadsFor({ ...all, ecrCredentialProvider: other }, "amd64", ecr).ecrCredentialProvider,
            other,
        );
    });

    it("has no credential provider that is not used, for another architecture, or of another hash", () => {
        const ecrCredentialProvider = { urls: ["https://mirror.example/provider-arm64"], sha256: "b".repeat(64) };
        const all = { kubelet, cniPlugins, ecrCredentialProvider };
        assert.throws(() => downloadsFor(all, "amd64"), {
            message: `downloads.ecrCredentialProvider requires ecrPulls (got ["${ecrCredentialProvider.urls[0]}"])`,
        });
        assert.throws(() => downloadsFor(all, "amd64", { ecrPulls: true }), {
            message: `downloads.ecrCredentialProvider.urls[0] must be of a file for amd64 (got ${ecrCredentialProvider.urls[0]})`,
        });
        const { urls } = downloadsFor({ kubelet, cniPlugins }, "amd64", { ecrPulls: true }).ecrCredentialProvider!;
        const wrong = { kubelet, cniPlugins, ecrCredentialProvider: { urls, sha256: "b".repeat(64) } };
        assert.throws(
            () => downloadsFor(wrong, "amd64", { ecrPulls: true }),
            /^Error: downloads\.ecrCredentialProvider\.sha256 must be [0-9a-f]{64}, that of https:/,
        );
    });

    it("is what is published for an architecture without its own", () => {
        const published = downloadsFor({}, "arm64");
        assert.match(published.kubelet.urls[0]!, /^https:\/\/dl\.k8s\.io\/v1\.36\.3\/bin\/linux\/arm64\/kubelet$/);
        const registryMirror = "http://mirror.example:5000";
        assert.deepEqual(downloadsFor({ kubelet, cniPlugins, registryMirror }, "arm64"), {
            ...published,
            registryMirror,
        });
        assert.deepEqual(downloadsFor({ kubelet, arm64 }, "amd64").cniPlugins, downloadsFor({}, "amd64").cniPlugins);
    });

    it("is refused when two architectures have one kubelet", () => {
        for (const architecture of ["amd64", "arm64"] as const) {
            assert.throws(() => downloadsFor({ kubelet, cniPlugins, arm64: { kubelet, cniPlugins } }, architecture), {
                message: `downloads.arm64.kubelet.sha256 must not equal downloads.kubelet.sha256 (got ${kubelet.sha256})`,
            });
        }
    });
});
