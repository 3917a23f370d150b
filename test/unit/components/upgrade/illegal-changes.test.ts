import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { requireKnownFlags } from "../../../../components/cluster/flag-checks";
import type { ClusterOptions } from "../../../../components/cluster/options";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { upgradeChecks } from "../../../../components/cluster/upgrade-checks";
import { changedBlock } from "../../../../components/upgrade/network-guard";
import { refusalByState } from "../../../../components/upgrade/version-hook";
import { golden } from "../../golden";

/** With a version or a check that the types have, but whoever writes a configuration does not. */
const of = (options: object) => resolveCluster({ name: "c", ...(options as Partial<ClusterOptions>) });

/** What `act` is refused with. */
function refusal(act: () => unknown): string {
    try {
        act();
    } catch (error) {
        return (error as Error).message;
    }
    return assert.fail("not refused");
}

/** Options that no cluster can have, whatever runs: what a preview says before it asks anybody. */
const options: Record<string, object> = {
    "a version of Kubernetes that is not pinned": { kubernetesVersion: "1.36.99" },
    "a version with its letter": { kubernetesVersion: "v1.36.3" },
    "an etcd that is not pinned": { etcdVersion: "3.7.0" },
    "an override of nothing that is looked at": { upgradeOverrides: ["everything"] },
    "a flag that no kube-apiserver has": { components: { kubeApiserver: { nonsense: "1" } } },
    "a flag that the version to come has no more": {
        kubernetesVersion: "1.36.3",
        components: { kubelet: { "pod-infra-container-image": "registry.example/pause:3.10" } },
    },
    "both levels at once": { selfHosted: { etcd: true, kubelet: true } },
    "a part that can't host itself": { selfHosted: { "kube-proxy": true } },
    "a lock of kubelets that is the level's own": {
        selfHosted: { kubelet: true },
        components: { kubelet: { "lock-file": "/run/lock" } },
    },
};

const made = ["--cluster-cidr=10.2.0.0/16", "--service-cluster-ip-range=10.3.0.0/16"];
/** Networks that a cluster was not made with. */
const networks: Record<string, ClusterOptions["network"]> = {
    "other addresses of pods": { podCidr: "10.64.0.0/16" },
    "other addresses of Services": { serviceCidr: "10.65.0.0/16" },
    "IPv6 that comes": { podCidr6: "fd00:10:2::/56", serviceCidr6: "fd00:10:3::/112" },
};

/** Versions that the state has kube-apiserver told, and what is wanted: of a cluster whose API is away. */
const states: Record<string, readonly [string[], string]> = {
    "a minor version is skipped": [["1.34.0"], "1.36.3"],
    "back to the minor version before": [["1.36.3"], "1.35.4"],
    "back after a rollout that failed, whose version may have served": [["1.35.4", "1.36.3"], "1.35.4"],
};

const texts = (refused: Record<string, string>) =>
    Object.entries(refused)
        .map(([title, text]) => `# ${title}\n${text}\n`)
        .join("\n");
const toldOf = <T>(cases: Record<string, T>, refused: (each: T) => string) =>
    texts(Object.fromEntries(Object.entries(cases).map(([title, each]) => [title, refused(each)])));

describe("changes that a preview refuses", () => {
    it("are told as reviewed, of options that no cluster can have", () =>
        golden(
            __dirname,
            "illegal-options",
            toldOf(options, (each) => refusal(() => requireKnownFlags(of(each)))),
        ));

    it("are told as reviewed, of networks, which are chosen once", () =>
        golden(
            __dirname,
            "illegal-networks",
            toldOf(networks, (network) => changedBlock(made, of({ network }).network)!),
        ));

    it("are told as reviewed, of versions by the state, while the API is away", () => {
        const said = toldOf(states, ([told, kubernetesVersion]) => refusalByState(of({ kubernetesVersion }), told)!);
        golden(__dirname, "illegal-by-state", said);
    });

    it("are told of each check, with the name that lets it go", () => {
        const folders = [join(__dirname, "golden"), resolve(__dirname, "../cluster/golden")];
        const files = folders.flatMap((folder) =>
            readdirSync(folder)
                .filter((name) => /^(illegal-.*|keys)\.golden\.txt$/.test(name))
                .map((name) => readFileSync(join(folder, name), "utf8")),
        );
        const named = files.flatMap((text) => [...text.matchAll(/upgradeOverrides: \[([^\]]+)\]$/gm)]);
        const checks = new Set(named.flatMap(([, names]) => names!.split(", ")));
        assert.deepEqual([...checks].sort(), [...upgradeChecks].sort());
    });
});
