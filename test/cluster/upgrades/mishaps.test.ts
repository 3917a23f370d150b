import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { docker } from "../../../machines/docker";
import { containerName, LOAD_BALANCER } from "../../../machines/names";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { runUntilAllCame } from "../interrupt";
import { olderVersion } from "../life";
import { allAre } from "../under-prober";

const LIMIT_MS = 600_000;
const LIMIT_OF_A_TEST_MS = 2_400_000;

/** Steps of a change of everything, each identified by its first output. */
const STEPS = {
    "the snapshot": /etcd of \S+: /,
    etcd: /snapshot before the upgrade: /,
    checkpointer: /daemonset\/kube-system\/checkpointer: /,
    "kube-apiserver": /daemonset\/kube-system\/kube-apiserver: /,
    "kube-controller-manager": /daemonset\/kube-system\/kube-controller-manager: /,
    "kube-scheduler": /daemonset\/kube-system\/kube-scheduler: /,
    flannel: /daemonset\/kube-system\/flannel: /,
    "kube-proxy": /daemonset\/kube-system\/kube-proxy: /,
    "kubelets of controllers": /daemonset\/kube-system\/node-agent-controller: /,
    "kubelets of workers": /daemonset\/kube-system\/node-agent-default: /,
};

for (const [name, count] of [
    ["mishap", 1],
    ["mishaps", 3],
] as const) {
    const cluster = new TestCluster(name);
    const controllers = Array.from({ length: count }, (_, index) => `${name}-controller-${index}`);
    const worker = `${name}-default-0`;

    const wants = async (settings: Record<string, string | number>) => {
        for (const [path, value] of Object.entries(settings))
            await cluster.pulumi("config", "set", "--path", `tradewind:${path}`, String(value), "--plaintext");
    };
    /**
     * Another CA is rejected while it is unknown which one a kubelet has, such as right after its machine's power cut.
     */
    const start = async () => {
        for (const pool of ["controller", "default"]) {
            const rollout = ["rollout", "status", `daemonset/node-agent-${pool}`, "--namespace", "kube-system"];
            await eventually(`kubelets of ${pool}`, () => cluster.kubectl(...rollout, "--timeout=20s"), 240);
        }
        return cluster.spawnStart("--yes");
    };
    /** A fault happens in each step of a change; starts may fail because of it, until they have reached each step. */
    const befalls = async (what: string, act: (step: string, index: number) => Promise<unknown>, but?: string) => {
        const steps = Object.entries(STEPS).filter(([step]) => step !== but);
        const moments = steps.map(([step, at], index) => ({ at, act: () => act(step, index) }));
        const starts = await runUntilAllCame(start, moments, LIMIT_MS);
        console.log(`      ${what} in each of ${moments.length} steps: completed after ${starts} starts`);
        await cluster.pulumi("preview", "--expect-no-changes");
    };

    describeLong(`an upgrade of ${count} controllers completes`, function () {
        this.timeout(LIMIT_OF_A_TEST_MS);

        before(() => {
            const size = ["--controllers", String(count), "--workers", "1"];
            return finished(cluster.spawnStart(...size, "--kubernetes", olderVersion, "--yes"));
        });
        after(() => cluster.destroy());

        it("if a machine loses power in each of its steps", async () => {
            await wants({
                kubernetesVersion: versions.kubernetes,
                etcdVersion: "3.6.16",
                kubeProxyMode: "iptables",
                "keys.kubernetesCa[0]": 1,
                "keys.kubernetesCa[1]": 2,
            });
            await befalls("a power cut", (step, index) =>
                powerCut(name, step === "kubelets of workers" ? worker : controllers[index % count]!),
            );
            await allAre(cluster, versions.kubernetes, count + 1);
            await cluster.tradewind("status");
        });

        it("if the API's load balancer restarts in each", async () => {
            await wants({ etcdVersion: versions.etcd, kubeProxyMode: "nftables" });
            for (const component of ["kubeApiserver", "kubeControllerManager", "kubeScheduler", "kubelet"])
                await wants({ [`components.${component}.v`]: 1 });
            await wants({ "keys.kubernetesCa[0]": 2, "keys.kubernetesCa[1]": 1 });
            const restart = () => docker(["restart", "--time", "0", containerName(name, LOAD_BALANCER)]);
            // None of this changes the checkpointer, which does not use it.
            await befalls("a restart of the load balancer", restart, "checkpointer");
            assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${versions.kubernetes}`));
        });
    });
}
