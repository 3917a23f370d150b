import { versions } from "../../artifacts";
import { resolveCluster } from "../../components/cluster/resolve";
import { paths } from "../../components/nodes/paths";
import { render } from "../../ignition";
import { exec, startBootstrap } from "../../machines";
import { hostAddress } from "../../machines/network";
import { type Access, accessOf, firstAnswer, hasReadyPod, type Limits } from "./api";
import { ADMIN_KUBECONFIG, KUBEADM_DONE, KUBEADM_UNIT, kubeadmConfig } from "./kubeadm-config";
import { kubeadmDownloads } from "./kubeadm-downloads";
import { controllerBoot } from "./node-config";
import { type Contender, onceWritten } from "./timed-boot";

const CONTROLLER = 11;

/** The first controller as `npm start` boots it. It is complete when it pivoted and the self-hosted apiserver is Ready. */
export async function ours(cluster: string, subnet: string): Promise<Contender> {
    const address = hostAddress(subnet, CONTROLLER);
    const { node, config, assets, kubeconfig } = await controllerBoot(cluster, subnet);
    const access = accessOf(kubeconfig, `https://${address}:6443`);
    return {
        ...{ title: "ours", cluster, node, address, config },
        start: () => startBootstrap(cluster, node, assets),
        done: `${paths.bootstrapState}/pivoted`,
        access: async () => access,
        unit: "bootstrap.service",
        complete: (_, limits) => whenReady(access, "kube-apiserver-", limits),
        explain: async (started) =>
            explainStages(await read(cluster, node, `${paths.bootstrapState}/stages.jsonl`), started),
    };
}

/** `kubeadm init` on the same kind of machine. It is complete when the command ended. */
export function kubeadm(cluster: string, subnet: string): Contender {
    const machine = { name: `${cluster}-kubeadm-0`, address: hostAddress(subnet, CONTROLLER) };
    const config = kubeadmConfig(resolveCluster({ name: cluster }), {
        machine,
        ...kubeadmDownloads(cluster, versions.kubernetes),
    });
    const contender: Contender = {
        ...{ title: "kubeadm init", cluster, node: machine.name, address: machine.address },
        config: render(config),
        done: KUBEADM_DONE,
        unit: KUBEADM_UNIT,
        access: async (limits) =>
            accessOf(await onceWritten(contender, { path: ADMIN_KUBECONFIG, test: "-s", print: "cat" }, limits)),
        complete: async () => 0,
        explain: async () => explainKubeadm(await exec(cluster, machine.name, JOURNAL)),
    };
    return contender;
}

const JOURNAL = ["journalctl", "--no-pager", "--output", "short-precise", "--unit", KUBEADM_UNIT];

/** A pod that was Ready already when the bootstrap ended does not move its end. */
async function whenReady(access: Access, pod: string, limits: Limits): Promise<number> {
    let looks = 0;
    const isReady = (body: string) => ++looks > 0 && hasReadyPod(body, pod);
    const found = await firstAnswer(access, "/api/v1/namespaces/kube-system/pods", limits, isReady);
    return looks === 1 ? 0 : found;
}

function read(cluster: string, node: string, path: string): Promise<string> {
    return exec(cluster, node, ["cat", path]);
}

/** Every step with when it ended, in seconds since the machine's start, and how long it took. */
export function explainStages(stages: string, started: number): string[] {
    return stages
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { time: string; step: string; event: string; seconds?: number })
        .filter(({ event }) => event === "done")
        .map(({ time, step, seconds = 0 }) => {
            const at = (Date.parse(time) - started) / 1000;
            return `    ${at.toFixed(1)} s  ${step} (${seconds.toFixed(1)} s)`;
        });
}

function explainKubeadm(journal: string): string[] {
    return journal
        .split("\n")
        .filter((line) =>
            /\[(preflight|certs|kubelet-start|wait-control-plane|api-check|addons)\]|healthy after/.test(line),
        )
        .map((line) => `    ${line.replace(/ \S+ kubeadm-init\[\d+\]:/, "")}`);
}
