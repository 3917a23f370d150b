import { gunzipSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";
import { paths } from "../../../cluster/paths";
import { resolveCluster } from "../../../cluster/resolve";
import { LocalCluster, type LocalClusterArgs } from "../../../components/local/cluster";
import { type Bundle, render } from "../../../ignition";
import { exec, startBootstrap } from "../../../machines";
import { hostAddress } from "../../../machines/names";
import { type Log, type Resource, Secret } from "../../../simulator/plugins/protocol/serve";
import { certRequest } from "../../../simulator/plugins/tls/cert-request";
import { locallySignedCert, selfSignedCert } from "../../../simulator/plugins/tls/certificate-resource";
import { privateKey } from "../../../simulator/plugins/tls/private-key";
import { localDownloads } from "../../../stacks/downloads";
import { versions } from "../../../versions";
import { type Access, accessOf, firstAnswer, hasReadyPod, type Limits } from "./api";
import { ADMIN_KUBECONFIG, KUBEADM_DONE, KUBEADM_UNIT, kubeadmConfig, kubeadmDownloads } from "./kubeadm-config";
import { type Contender, onceWritten } from "./timed-boot";

const CONTROLLER = 11;

/** The first controller as booted by `npm start`. Complete when it has pivoted and the self-hosted apiserver is ready. */
export async function ours(
    cluster: string,
    subnet: string,
    options: Partial<LocalClusterArgs> = {},
): Promise<Contender> {
    const address = hostAddress(subnet, CONTROLLER);
    const { node, config, assets, kubeconfig } = await controllerBoot(cluster, subnet, options);
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

/** `kubeadm init` on the same kind of machine. Complete when the command has ended. */
export function kubeadm(cluster: string, subnet: string): Contender {
    const machine = { name: `${cluster}-kubeadm-0`, address: hostAddress(subnet, CONTROLLER) };
    // By tag: the mirror of local machines has other digests than the release.
    const config = kubeadmConfig(resolveCluster({ name: cluster, imageDigests: false }), {
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

/** A pod that was already ready when the bootstrap ended does not change the end. */
async function whenReady(access: Access, pod: string, limits: Limits): Promise<number> {
    let rounds = 0;
    const isReady = (body: string) => ++rounds > 0 && hasReadyPod(body, pod);
    const found = await firstAnswer(access, "/api/v1/namespaces/kube-system/pods", limits, isReady);
    return rounds === 1 ? 0 : found;
}

function read(cluster: string, node: string, path: string): Promise<string> {
    return exec(cluster, node, ["cat", path]);
}

/** Each step with its end, in seconds since the start of the machine, and its duration. */
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

/** The node config of a single controller in the `local` stack. */
interface ControllerBoot {
    readonly node: string;
    /** Ignition. */
    readonly config: string;
    /** The command that starts the cluster on it. */
    readonly assets: Bundle;
    readonly kubeconfig: string;
}

const TLS: Readonly<Record<string, Resource>> = {
    "tls:index/privateKey:PrivateKey": privateKey,
    "tls:index/certRequest:CertRequest": certRequest,
    "tls:index/selfSignedCert:SelfSignedCert": selfSignedCert,
    "tls:index/locallySignedCert:LocallySignedCert": locallySignedCert,
};

const COMMAND = "command:local:Command";

const silent = { debug() {}, info() {}, warn() {}, error() {}, status() {} } as unknown as Log;

/** Output of every command: an expiry of bootstrap tokens; the output of other commands is not used. */
const PRINTED = { stdout: new Date(Date.now() + 86_400_000).toISOString(), stderr: "" };

/**
 * Runs the stack's component with a Pulumi engine that only creates keys and certificates, and captures what is passed to
 * `machine create` and `bootstrap run`: identical to what `npm start` boots, without the time that Pulumi takes.
 */
export async function controllerBoot(
    cluster: string,
    machineCidr: string,
    options: Partial<LocalClusterArgs> = {},
): Promise<ControllerBoot> {
    const node = `${cluster}-controller-0`;
    const bootstrap = `${cluster}-bootstrap`;
    const inputsOf = new Promise<[string, string]>((resolve) => {
        const found = new Map<string, string>();
        pulumi.runtime.setMocks(
            {
                call: (call) => call.inputs,
                async newResource({ type, name, inputs: wrapped }) {
                    const inputs = mapValues(wrapped, pulumi.runtime.unwrapRpcSecret);
                    if (name === node || name === bootstrap) {
                        found.set(name, inputs.stdin as string);
                    }
                    const [config, assets] = [found.get(node), found.get(bootstrap)];
                    if (config !== undefined && assets !== undefined) {
                        resolve([config, assets]);
                    }
                    const state = TLS[type] ? await create(TLS[type], { type, name, inputs }) : inputs;
                    return { id: name, state: type === COMMAND ? { ...state, ...PRINTED } : state };
                },
            },
            "tradewind",
            cluster,
        );
    });
    const { kubeconfig } = new LocalCluster(cluster, {
        ...options,
        machineCidr,
        downloads: localDownloads(cluster),
        network: { keepConntrackLimits: true, ...options.network },
    });
    const text = new Promise<string>((resolve) => kubeconfig.apply(resolve));
    const [config, assets] = await inputsOf;
    return {
        node,
        config,
        assets: JSON.parse(gunzipSync(Buffer.from(assets, "base64")).toString()),
        kubeconfig: await text,
    };
}

type Created = { readonly type: string; readonly name: string; readonly inputs: Record<string, unknown> };

async function create(resource: Resource, created: Created): Promise<Record<string, unknown>> {
    const operation = { ...created, urn: created.name, log: silent, signal: new AbortController().signal };
    const { state } = await resource.create({ ...operation, secrets: new Set(), preview: false, timeout: 0 });
    return mapValues(state, (value) => (value instanceof Secret ? value.value : value));
}

function mapValues(values: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
