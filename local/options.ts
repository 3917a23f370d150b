import { cnis, kubeProxyModes } from "../cluster/model";
import { parseCidr, parseCidr6 } from "../cluster/network/cidr";
import {
    type Check,
    choice,
    flag,
    invalidOption,
    matching,
    oneOf,
    UsageError,
    type Values,
    value,
    wholeNumber,
} from "../command-line/parse";
import { OS_LIKES } from "../machines/os-like";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../versions";

/** The name of a cluster; the names of its machines, which add a suffix, must also be DNS labels. */
export const CLUSTER_NAME = matching(
    "a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter)",
    /^[a-z]([a-z0-9-]{0,17}[a-z0-9])?$/,
);

/** @throws UsageError unless it is a cluster's name */
export function requireClusterName(name: string): string {
    if (CLUSTER_NAME.read(name) === undefined) throw invalidOption("--name", CLUSTER_NAME.legal, name);
    return name;
}

/** What is self-hosted in addition to the control plane, by level: docs/levels.md. */
export const partsOf = { "2-4": undefined, "1-4": { etcd: true }, "0-4": { kubelet: true, etcd: true } } as const;

export type Level = keyof typeof partsOf;

export const LEVELS = Object.keys(partsOf) as readonly Level[];

export const KEY = "tradewind:selfHosted";

function cidr(option: string, parse: typeof parseCidr = parseCidr): Check<string> {
    const read = (text: string) => {
        try {
            parse(option, text);
            return text;
        } catch (error) {
            throw new UsageError((error as Error).message);
        }
    };
    return { legal: "a CIDR", read };
}

/** Stored in the stack's configuration. Without an option, an existing cluster keeps its value. */
const choices = {
    controllers: choice("N", "", [1, 3, 5], { otherwise: "1" }),
    workers: value("N", "0 or more", wholeNumber(0, 200), { otherwise: "1" }),
    arbiter: flag("two controllers, and a third machine that runs etcd only", {
        excludes: ["controllers", "candidates"],
    }),
    candidates: flag("workers may become controllers: one replaces a controller that is lost"),
    kubernetes: choice("VERSION", "", KUBERNETES_VERSIONS, { otherwise: versions.kubernetes }),
    etcd: choice("VERSION", "", ETCD_VERSIONS, { otherwise: versions.etcd }),
    os: choice("FORMAT", "format of the node configs", ["ignition", "cloud-init"], { otherwise: "ignition" }),
    osLike: value(
        "NAME",
        "operating system to imitate: ubuntu, flatcar or fedora-coreos, by its network programs, directories and update services; or virtual-machine, a guest of QEMU (slow)",
        oneOf(OS_LIKES),
        { otherwise: "a minimal Debian" },
    ),
    level: value(
        "LEVEL",
        "what is self-hosted: 2-4 (the control plane and everything above it), 1-4 (also etcd) or 0-4 (also etcd and the kubelets)",
        oneOf(LEVELS),
        { otherwise: "2-4" },
    ),
    cni: value(
        "NAME",
        "what gives pods their network: flannel, kube-router, or none, for one that you install",
        oneOf(cnis),
        { otherwise: "flannel" },
    ),
    kubeProxyMode: value(
        "MODE",
        "how kube-proxy programs the kernel: nftables or iptables; or none, if your CNI replaces it",
        oneOf(kubeProxyModes),
        { otherwise: "nftables" },
    ),
    podCidr: value("CIDR", "pod network", cidr("--pod-cidr"), { otherwise: "10.2.0.0/16" }),
    serviceCidr: value("CIDR", "service network", cidr("--service-cidr"), { otherwise: "10.3.0.0/16" }),
    podCidr6: value("CIDR", "IPv6 pod network for dual-stack, such as fd00:10:2::/56", cidr("--pod-cidr6", parseCidr6)),
    serviceCidr6: value(
        "CIDR",
        "IPv6 service network for dual-stack, such as fd00:10:3::/112",
        cidr("--service-cidr6", parseCidr6),
    ),
};

export type ClusterChoices = Partial<Values<typeof choices>>;

/** Options of `npm start`. */
export const startOptions = {
    name: value("NAME", "name of the cluster", CLUSTER_NAME, { default: "local" }),
    ...choices,
    discardLocalData: flag("remove machines although volumes on their disks hold data, which is lost"),
    destroy: flag("remove the cluster: its machines, network and state", {
        excludes: [...Object.keys(choices), "discardLocalData", "offline"],
    }),
    offline: flag("build missing software from source and use this project's own Pulumi plugins, without the network"),
    yes: flag("skip the confirmation", { short: "y" }),
};
