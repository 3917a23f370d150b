import type { KubernetesVersion } from "../../artifacts";
import { resolveCluster } from "../../components/cluster/resolve";
import { merge, render } from "../../ignition";
import { createMachine } from "../../machines";
import { hostAddress } from "../../machines/network";
import { type Access, accessOf, type Limits } from "./api";
import { bridge } from "./bridge";
import { ADMIN_KUBECONFIG, KUBEADM_DONE, KUBEADM_UNIT, kubeadmConfig } from "./kubeadm-config";
import { kubeadmDownloads } from "./kubeadm-downloads";
import { lastWords, onceWritten } from "./timed-boot";

const FIRST = 11;
const TOKEN = "bench0.0123456789abcdef";

/** A controller and a worker of kubeadm. */
export interface KubeadmPair {
    readonly cluster: string;
    readonly controller: string;
    readonly worker: string;
    /** The controller's. */
    readonly address: string;
    readonly kubeconfig: string;
    readonly access: Access;
}

/** Boots both on a network that is there, and resolves when the worker joined. */
export async function kubeadmPair(
    cluster: string,
    subnet: string,
    kubernetesVersion: KubernetesVersion,
    limits: Limits,
): Promise<KubeadmPair> {
    const [controller, worker] = ["controller", "worker"].map((role) => `${cluster}-kubeadm-${role}`);
    const address = hostAddress(subnet, FIRST);
    const shared = { ...kubeadmDownloads(cluster, kubernetesVersion), token: TOKEN };
    const model = resolveCluster({ name: cluster, kubernetesVersion });
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
