import assert from "node:assert/strict";
import { joiningWorker, placeholderJoining } from "../../../../../cluster/machines/joining-configs";
import { resolveCluster } from "../../../../../cluster/resolve";
import { downloads } from "../../../components/in-cluster/fixture";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
const provider = { urls: ["https://one.example/provider", "https://two.example/provider"], sha256: "b".repeat(64) };

const configOf = (more: object) =>
    joiningWorker(
        { cluster, downloads: { ...downloads, ...more }, machineCidr: "10.0.0.0/16" },
        cluster.workerPools[0]!,
        placeholderJoining(cluster),
    );
const unitOf = (name: string, more: object) =>
    configOf(more).systemd?.units?.find((each) => each.name === name)?.contents ?? "";
const fileOf = (path: string, more: object) => {
    const source = configOf(more).storage?.files?.find((each) => each.path === path)?.contents?.source ?? "";
    return Buffer.from(source.replace(/^data:;base64,/, ""), "base64").toString();
};
const name = "ecr-credential-provider.service";
const configPath = "/etc/kubernetes/credential-providers.json";

describe("the kubelet's credential provider", () => {
    const more = { ecrCredentialProvider: provider };

    it("is downloaded before the kubelet starts, by its hash", () => {
        const unit = unitOf(name, more);
        const path = "/opt/tradewind/credential-providers/ecr-credential-provider";
        assert.ok(unit.includes(`fetch ${path} ${provider.sha256} ${provider.urls.join(" ")}\n`), unit);
        assert.match(unit, /^Before=kubelet\.service$/m);
        assert.match(unit, /^RequiredBy=kubelet\.service$/m);
    });

    it("is asked for images of ECR", () => {
        const kubelet = unitOf("kubelet.service", more);
        assert.ok(kubelet.includes("--image-credential-provider-bin-dir=/opt/tradewind/credential-providers"));
        assert.ok(kubelet.includes(`--image-credential-provider-config=${configPath}`));
        const { kind, providers } = JSON.parse(fileOf(configPath, more));
        assert.equal(kind, "CredentialProviderConfig");
        assert.deepEqual(
            providers.map((each: { name: string; matchImages: string[] }) => [each.name, each.matchImages[0]]),
            [["ecr-credential-provider", "*.dkr.ecr.*.amazonaws.com"]],
        );
    });

    it("is among what a machine reports that has not joined", () => {
        assert.match(
            fileOf("/opt/tradewind/bin/boot-console", more),
            / ecr-credential-provider\.service kubelet\.service;/,
        );
    });

    it("leaves nothing on machines without it", () => {
        const text = JSON.stringify(configOf({}));
        assert.doesNotMatch(text, /credential-provider/);
        assert.doesNotMatch(fileOf("/opt/tradewind/bin/boot-console", {}), /credential-provider/);
    });
});
