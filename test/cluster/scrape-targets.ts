import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { TestCluster } from "./cluster";

type Labels = Readonly<Record<string, string>>;

interface Relabeling {
    readonly source_labels: readonly string[];
    readonly regex?: string;
    readonly replacement?: string;
    readonly target_label?: string;
    readonly action?: "keep" | "replace";
}

interface Job {
    readonly job_name: string;
    readonly metrics_path?: string;
    readonly scheme?: string;
    readonly tls_config?: { readonly server_name?: string; readonly insecure_skip_verify?: boolean };
    readonly authorization?: object;
    readonly kubernetes_sd_configs: readonly [
        { readonly role: Role; readonly namespaces?: { readonly names: readonly string[] } },
    ];
    readonly relabel_configs: readonly Relabeling[];
}

type Role = "node" | "pod" | "endpointslice";

/** What a Prometheus with a job's configuration would scrape. */
export interface ScrapeTarget {
    readonly job: string;
    readonly instance: string;
    readonly url: string;
    readonly serverName?: string;
    readonly isVerified: boolean;
    readonly hasToken: boolean;
}

const file = join(resolve(__dirname, "../.."), "examples/monitoring/prometheus.yml");

/** Targets of the example configuration: discovered and relabelled as Prometheus does, as far as the example needs. */
export async function scrapeTargets(cluster: TestCluster): Promise<ScrapeTarget[]> {
    const { scrape_configs: jobs }: { scrape_configs: Job[] } = parse(readFileSync(file, "utf8"));
    const all = await Promise.all(
        jobs.map(async (job) => {
            const [{ role, namespaces }] = job.kubernetes_sd_configs;
            const found = await discover[role](cluster, namespaces?.names[0] ?? "");
            return found.flatMap((labels) => targetOf(job, labels));
        }),
    );
    return all.flat();
}

function targetOf(job: Job, discovered: Labels): ScrapeTarget[] {
    const { scheme = "http", metrics_path: path = "/metrics", tls_config: tls } = job;
    const labels = job.relabel_configs.reduce<Labels | undefined>(relabel, discovered);
    if (labels === undefined) return [];
    return [
        {
            job: job.job_name,
            instance: labels.instance ?? labels.__address__!,
            url: `${scheme}://${labels.__address__}${path}`,
            ...(tls?.server_name && { serverName: tls.server_name }),
            isVerified: tls?.insecure_skip_verify !== true,
            hasToken: job.authorization !== undefined,
        },
    ];
}

/** @param labels - undefined if an earlier rule dropped the target */
function relabel(labels: Labels | undefined, rule: Relabeling): Labels | undefined {
    if (labels === undefined) return undefined;
    const { source_labels, regex = "(.*)", replacement = "$1", target_label = "", action = "replace" } = rule;
    const source = source_labels.map((label) => labels[label] ?? "").join(";");
    const match = new RegExp(`^(?:${regex})$`).exec(source);
    if (action === "keep") return match ? labels : undefined;
    return match ? { ...labels, [target_label]: match[0].replace(new RegExp(regex), replacement) } : labels;
}

interface Found {
    readonly metadata: { readonly name: string; readonly labels?: Labels };
    readonly spec?: { readonly nodeName?: string };
    readonly status?: {
        readonly phase?: string;
        readonly podIP?: string;
        readonly hostIP?: string;
        readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    };
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
    readonly endpoints?: readonly { readonly addresses: readonly string[] }[];
}

/** Meta labels of what each role discovers. */
const discover: Readonly<Record<Role, (cluster: TestCluster, namespace: string) => Promise<Labels[]>>> = {
    async node(cluster) {
        return (await list(cluster, "nodes")).map(({ metadata: { name, labels = {} }, status }) => {
            const { address } = status!.addresses!.find(({ type }) => type === "InternalIP")!;
            const present = Object.keys(labels).map((label) => [`node_labelpresent_${plain(label)}`, "true"]);
            return { __address__: `${address}:10250`, ...meta({ node_name: name, ...Object.fromEntries(present) }) };
        });
    },
    async pod(cluster, namespace) {
        return (await list(cluster, "pods", "-n", namespace)).map(({ metadata: { labels }, spec, status = {} }) => {
            const { podIP = "", hostIP = "", phase = "" } = status;
            const place = { pod_phase: phase, pod_host_ip: hostIP, pod_node_name: spec?.nodeName ?? "" };
            return { __address__: podIP, ...meta({ ...place, ...labelled("pod_label_", labels) }) };
        });
    },
    async endpointslice(cluster, namespace) {
        return (await list(cluster, "endpointslices", "-n", namespace)).flatMap(({ metadata, ports, endpoints }) =>
            (ports ?? []).flatMap(({ name = "", port }) =>
                (endpoints ?? [])
                    .flatMap(({ addresses }) => addresses)
                    .map((address) => ({
                        __address__: `${address}:${port}`,
                        ...meta({
                            endpointslice_port_name: name,
                            ...labelled("endpointslice_label_", metadata.labels),
                        }),
                    })),
            ),
        );
    },
};

async function list(cluster: TestCluster, ...what: string[]): Promise<readonly Found[]> {
    return (await cluster.get<{ items: Found[] }>(what[0]!, ...what.slice(1))).items;
}

function labelled(prefix: string, labels: Labels = {}): Labels {
    return Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${prefix}${plain(name)}`, value]));
}

function meta(labels: Labels): Labels {
    return labelled("__meta_kubernetes_", labels);
}

function plain(name: string): string {
    return name.replace(/[^a-zA-Z0-9_]/g, "_");
}

/** Jobs of Prometheus, and on how many nodes of the shared cluster. */
export const expectedJobs = {
    checkpointer: 1,
    coredns: 2,
    etcd: 1,
    "etcd-keeper": 1,
    "kube-apiserver": 1,
    "kube-controller-manager": 1,
    "kube-proxy": 3,
    "kube-scheduler": 1,
    kubelet: 3,
    "kubelet-resources": 3,
    "metrics-proxy": 3,
    "node-agent": 3,
};
