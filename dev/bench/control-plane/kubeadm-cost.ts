import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { renderKubeletEnv } from "../../../agents/nodes/node-agent/kubelet/kubelets";
import { fetchScript } from "../../../cluster/machines/system";
import { paths } from "../../../cluster/paths";
import { resolveCluster } from "../../../cluster/resolve";
import { type Config, config, file, merge, render } from "../../../ignition";
import { containerName, createMachine, docker, exec } from "../../../machines";
import { hostAddress } from "../../../machines/names";
import { kubectl } from "../../../test/cluster/cluster";
import { type Kubectl, probeTargets } from "../../../test/cluster/probe-targets";
import { densePace, describeTallies, Prober } from "../../../test/cluster/prober";
import type { KubernetesVersion } from "../../../versions";
import { type Access, accessOf, firstAnswer, type Limits } from "./api";
import {
    ADMIN_KUBECONFIG,
    IGNORED,
    KUBEADM_DONE,
    KUBEADM_UNIT,
    kubeadmConfig,
    kubeadmDownloads,
} from "./kubeadm-config";
import { memoryPeak } from "./memory";
import { lastWords, onceWritten } from "./timed-boot";

/** Cost of an upgrade: milliseconds, and MiB of the first controller. */
export interface Cost {
    readonly duration: number;
    readonly before: number;
    readonly peak: number;
}

/** Timeout of a boot and an upgrade. */
const LIMIT_SECONDS = 900;

/** kubeadm's upgrade of a controller and a worker on a separate network, with the same clients as ours. */
export async function kubeadmCost(
    cluster: string,
    subnet: string,
    [from, to]: readonly [KubernetesVersion, KubernetesVersion],
    say: (line: string) => void,
    signal: AbortSignal,
): Promise<Cost> {
    const limits = { deadline: Date.now() + LIMIT_SECONDS * 1000, signal };
    const pair = await kubeadmPair(cluster, subnet, from, limits);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bench-"));
    try {
        const kubeconfig = join(folder, "kubeconfig");
        writeFileSync(kubeconfig, pair.kubeconfig, { mode: 0o600 });
        const asAdmin: Kubectl = (...args) => kubectl(kubeconfig, ...args);
        const targets = await probeTargets(pair.address, pair.kubeconfig, asAdmin);
        const prober = new Prober(targets, LIMIT_SECONDS, densePace);
        const upgraded = await memoryPeak(cluster, pair.controller, () =>
            kubeadmUpgrade(pair, to, asAdmin, limits),
        ).catch(async (error: Error) => {
            await prober.stop().catch(() => undefined);
            throw error;
        });
        say(`    ${describeTallies(await prober.stop())}`);
        const { result: times, ...memory } = upgraded;
        const parts = [times.controlPlane, times.controllersKubelet, times.worker];
        const duration = parts.reduce((sum, part) => sum + part, 0);
        const [total, ...each] = [duration, ...parts].map((part) => `${(part / 1000).toFixed(0)} s`);
        say(`kubeadm upgrade took ${total}: control plane, its kubelet, worker ${each.join(", ")}`);
        return { duration, ...memory };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** A pod network on a single machine: enough for a node and its pods to be ready. @param subnet - the node's pod CIDR */
export function bridge(subnet: string): Config {
    const conflist = {
        cniVersion: "1.0.0",
        name: "bridge",
        plugins: [
            {
                type: "bridge",
                bridge: "cni0",
                isGateway: true,
                ipMasq: true,
                ipam: { type: "host-local", ranges: [[{ subnet }]], routes: [{ dst: "0.0.0.0/0" }] },
            },
            { type: "portmap", capabilities: { portMappings: true } },
        ],
    };
    return config({ files: [file("/etc/cni/net.d/10-bridge.conflist", JSON.stringify(conflist), { mode: 0o644 })] });
}

const FIRST = 11;
const TOKEN = "bench0.0123456789abcdef";

/** A controller and a worker created with kubeadm. */
interface KubeadmPair {
    readonly cluster: string;
    readonly controller: string;
    readonly worker: string;
    /** Access to the controller's API. */
    readonly address: string;
    readonly kubeconfig: string;
    readonly access: Access;
}

/** Boots both on an existing network, and resolves when the worker has joined. */
async function kubeadmPair(
    cluster: string,
    subnet: string,
    kubernetesVersion: KubernetesVersion,
    limits: Limits,
): Promise<KubeadmPair> {
    const [controller, worker] = [`${cluster}-kubeadm-controller`, `${cluster}-kubeadm-worker`];
    const address = hostAddress(subnet, FIRST);
    const shared = { ...kubeadmDownloads(cluster, kubernetesVersion), token: TOKEN };
    const model = resolveCluster({ name: cluster, kubernetesVersion, imageDigests: false });
    const boot = async (index: number, name: string, joins?: string) => {
        const machine = { name, address: hostAddress(subnet, FIRST + index) };
        const own = kubeadmConfig(model, { ...shared, machine, ...(joins !== undefined && { joins }) });
        const config = render(merge(own, bridge(`10.2.${index}.0/24`)));
        await createMachine({ cluster, name, address: machine.address, config });
        const unit = { cluster, node: name, unit: KUBEADM_UNIT };
        await onceWritten(unit, { path: KUBEADM_DONE, test: "-e", print: "echo" }, limits).catch(
            async (error: Error) => {
                throw new Error(`${error.message}\n${await lastWords(unit)}`);
            },
        );
        return unit;
    };
    const first = await boot(0, controller);
    const kubeconfig = await onceWritten(first, { path: ADMIN_KUBECONFIG, test: "-s", print: "cat" }, limits);
    await boot(1, worker, address);
    return { cluster, controller, worker, address, kubeconfig, access: accessOf(kubeconfig) };
}

/** Durations of the parts in milliseconds. */
type UpgradeTimes = Readonly<Record<"controlPlane" | "controllersKubelet" | "worker", number>>;

/** kubeadm only knows CoreDNS up to the version it ships with, so it is not upgraded. */
const COREDNS = "CoreDNSUnsupportedPlugins,CoreDNSMigration";

/**
 * Upgrades manually as in kubeadm's documentation, without pauses: `kubeadm upgrade apply`, then for each node `kubectl drain`,
 * the kubelet and `kubectl uncordon`, on the worker after `kubeadm upgrade node`.
 */
async function kubeadmUpgrade(
    pair: KubeadmPair,
    to: KubernetesVersion,
    kubectl: Kubectl,
    limits: Limits,
): Promise<UpgradeTimes> {
    const { cluster, controller, worker, access } = pair;
    const { downloads, kubeadm } = kubeadmDownloads(cluster, to);
    const run = (node: string, script: string) =>
        docker(["exec", containerName(cluster, node), "sh", "-euc", script], { timeout: limits.deadline - Date.now() });
    const fetchKubeadm = (node: string) =>
        run(
            node,
            `${fetchScript} /usr/local/bin/kubeadm ${kubeadm.sha256} ${kubeadm.urls.join(" ")}; chmod 0755 /usr/local/bin/kubeadm`,
        );
    // The new kubelet restarts the API, which refuses requests for a moment: an operator would retry, so this does too.
    const insist = async (command: () => Promise<string>) => {
        for (;;) {
            try {
                return await command();
            } catch (error) {
                if (Date.now() > limits.deadline) throw error;
                await sleep(1000, undefined, { signal: limits.signal });
            }
        }
    };
    const upgradeKubelet = async (node: string) => {
        await insist(() => kubectl("drain", node, "--ignore-daemonsets", "--delete-emptydir-data"));
        const env = renderKubeletEnv({ version: to, ...downloads.kubelet, settings: "0" });
        await exec(cluster, node, ["sh", "-euc", `cat >${paths.kubeletVersion}; systemctl restart kubelet`], env);
        await firstAnswer(access, `/api/v1/nodes/${node}`, limits, (body) => runs(body, to));
        await insist(() => kubectl("uncordon", node));
    };
    const started = performance.now();
    await fetchKubeadm(controller);
    await run(controller, `kubeadm upgrade apply v${to} --yes --skip-phases=addon/coredns ${IGNORED},${COREDNS}`);
    const applied = performance.now();
    await upgradeKubelet(controller);
    const first = performance.now();
    await fetchKubeadm(worker);
    await insist(() => run(worker, `kubeadm upgrade node ${IGNORED}`));
    await upgradeKubelet(worker);
    return { controlPlane: applied - started, controllersKubelet: first - applied, worker: performance.now() - first };
}

/** Whether a Node is ready with this kubelet version. */
export function runs(node: string, version: string): boolean {
    type Node = { status: { nodeInfo: { kubeletVersion: string }; conditions?: { type: string; status: string }[] } };
    const { nodeInfo, conditions = [] } = (JSON.parse(node) as Node).status;
    const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
    return isReady && nodeInfo.kubeletVersion === `v${version}`;
}
