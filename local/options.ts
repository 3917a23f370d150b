import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { parseCidr, parseCidr6 } from "../cluster/network/cidr";
import { invalidOption, parseCommandLine, UsageError } from "../command-line/parse";

/** Options of `npm start`. Options that are not given are undefined: an existing cluster keeps its values. */
export interface StartOptions {
    readonly name: string;
    readonly cluster: ClusterChoices;
    readonly isDestroy: boolean;
    readonly isYes: boolean;
    readonly isHelp: boolean;
}

/** Options that are stored in the stack's configuration. */
export interface ClusterChoices {
    readonly controllers?: number;
    readonly workers?: number;
    readonly kubernetes?: string;
    readonly etcd?: string;
    readonly os?: string;
    readonly osLike?: string;
    readonly level?: Level;
    readonly podCidr?: string;
    readonly serviceCidr?: string;
    readonly podCidr6?: string;
    readonly serviceCidr6?: string;
}

const MACHINE_OSES = ["ignition", "cloud-init"];
const OS_LIKES = ["ubuntu"];

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseStartOptions(args: readonly string[]): StartOptions {
    const values = valuesIn(args);
    const cluster: ClusterChoices = {
        controllers: choice("--controllers", values.controllers, [1, 3, 5], Number),
        workers: count("--workers", values.workers, 200),
        kubernetes: choice("--kubernetes", values.kubernetes, KUBERNETES_VERSIONS),
        etcd: choice("--etcd", values.etcd, ETCD_VERSIONS),
        os: choice("--os", values.os, MACHINE_OSES),
        osLike: choice("--os-like", values["os-like"], OS_LIKES),
        level: choice("--level", values.level, LEVELS),
        podCidr: cidr("--pod-cidr", values["pod-cidr"]),
        serviceCidr: cidr("--service-cidr", values["service-cidr"]),
        podCidr6: cidr("--pod-cidr6", values["pod-cidr6"], parseCidr6),
        serviceCidr6: cidr("--service-cidr6", values["service-cidr6"], parseCidr6),
    };
    const { destroy = false, yes = false, help = false } = values;
    const given = Object.keys(values).find((option) => !["name", "destroy", "yes", "help"].includes(option));
    if (destroy && given) {
        throw new UsageError(`--destroy and --${given} are mutually exclusive`);
    }
    return { name: clusterName(values.name ?? "local"), cluster, isDestroy: destroy, isYes: yes, isHelp: help };
}

/** Checks the name of a cluster; the names of its machines, which add a suffix, must also be DNS labels. */
export function clusterName(name: string): string {
    if (!/^[a-z]([a-z0-9-]{0,17}[a-z0-9])?$/.test(name)) {
        throw invalidOption(
            "--name",
            "a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter)",
            name,
        );
    }
    return name;
}

function valuesIn(args: readonly string[]) {
    const string = { type: "string" } as const;
    return parseCommandLine("npm start -- --help", {
        args: [...args],
        options: {
            name: string,
            controllers: string,
            workers: string,
            kubernetes: string,
            etcd: string,
            os: string,
            "os-like": string,
            level: string,
            "pod-cidr": string,
            "service-cidr": string,
            "pod-cidr6": string,
            "service-cidr6": string,
            destroy: { type: "boolean" },
            yes: { type: "boolean", short: "y" },
            help: { type: "boolean", short: "h" },
        },
    }).values;
}

function choice<T extends string | number>(
    option: string,
    text: string | undefined,
    legal: readonly T[],
    convert: (text: string) => unknown = (same) => same,
): T | undefined {
    if (text === undefined) {
        return undefined;
    }
    const value = legal.find((each) => each === convert(text));
    if (value === undefined) {
        const others = legal.slice(0, -1).join(", ");
        throw invalidOption(option, others ? `${others} or ${legal.at(-1)}` : `${legal[0]}`, text);
    }
    return value;
}

function count(option: string, text: string | undefined, max: number): number | undefined {
    if (text !== undefined && !(/^\d+$/.test(text) && Number(text) <= max)) {
        throw invalidOption(option, `a whole number from 0 to ${max}`, text);
    }
    return text === undefined ? undefined : Number(text);
}

function cidr(option: string, text: string | undefined, parse: typeof parseCidr = parseCidr): string | undefined {
    if (text !== undefined) {
        try {
            parse(option, text);
        } catch (error) {
            throw new UsageError((error as Error).message);
        }
    }
    return text;
}

export const START_HELP = `Creates or updates a local self-hosted Kubernetes cluster, or resumes an interrupted run.

Usage: npm start -- [options]

  --name NAME           name of the cluster (default: local)
  --controllers N       1, 3 or 5 (default: 1)
  --workers N           0 or more (default: 1)
  --kubernetes VERSION  ${KUBERNETES_VERSIONS.join(" or ")} (default: ${versions.kubernetes})
  --etcd VERSION        ${ETCD_VERSIONS.join(" or ")} (default: ${versions.etcd})
  --os FORMAT           format of the node configs: ignition or cloud-init (default: ignition)
  --os-like NAME        operating system to imitate: ubuntu, with systemd-resolved, networkd and the settings
                        of unattended-upgrades (default: a minimal Debian)
  --level LEVEL         what is self-hosted: 2-4 (the control plane and everything above it), 1-4 (also etcd)
                        or 0-4 (also the kubelet, but not etcd) (default: 2-4)
  --pod-cidr CIDR       pod network (default: 10.2.0.0/16)
  --service-cidr CIDR   service network (default: 10.3.0.0/16)
  --pod-cidr6 CIDR, --service-cidr6 CIDR
                        IPv6 networks for dual-stack, such as fd00:10:2::/56 and fd00:10:3::/112
                        (default: none)
  --destroy             remove the cluster: its machines, network and state
  --yes, -y             skip the confirmation
  --help, -h

Options that are not given keep their current values in an existing cluster. For more settings, run
  npm run pulumi -- config set ...   then   npm start

Environment variables:
  TRADEWIND_CACHE   downloads and builds (default: ~/.cache/tradewind)
  TRADEWIND_STATE   state, kubeconfig and passphrase of each cluster (default: ~/.local/share/tradewind)
`;

/** What is self-hosted in addition to the control plane, by level: docs/levels.md. */
export const partsOf = { "2-4": undefined, "1-4": { etcd: true }, "0-4": { kubelet: true } } as const;

export type Level = keyof typeof partsOf;

export const LEVELS = Object.keys(partsOf) as readonly Level[];

export const KEY = "tradewind:selfHosted";
