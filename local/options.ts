import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { parseCidr, parseCidr6 } from "../cluster/network/cidr";
import { invalidOption, parseCommandLine, UsageError } from "../command-line/parse";

/** What `npm start` was asked for. An option that was not given is undefined: an existing cluster keeps what it has. */
export interface StartOptions {
    readonly name: string;
    readonly cluster: ClusterChoices;
    readonly isDestroy: boolean;
    readonly isYes: boolean;
    readonly isHelp: boolean;
}

/** The choices that go into the stack's configuration. */
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
        throw invalidOption("--destroy", "given with no other option than --name and --yes", `--${given}`);
    }
    return { name: clusterName(values.name ?? "local"), cluster, isDestroy: destroy, isYes: yes, isHelp: help };
}

/** Checks the name of a cluster; a machine's name, which is longer by its role, has to be a DNS label too. */
export function clusterName(name: string): string {
    if (!/^[a-z]([a-z0-9-]{0,17}[a-z0-9])?$/.test(name)) {
        throw invalidOption("--name", "a DNS label of at most 19 characters (a-z, 0-9 and -, a letter first)", name);
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

export const START_HELP = `Brings up a self-hosted Kubernetes cluster on this computer, or goes on where it was stopped.

Usage: npm start -- [options]

  --name NAME           the cluster's name (default: local)
  --controllers N       1, 3 or 5 (default: 1)
  --workers N           0 or more (default: 1)
  --kubernetes VERSION  ${KUBERNETES_VERSIONS.join(" or ")} (default: ${versions.kubernetes})
  --etcd VERSION        ${ETCD_VERSIONS.join(" or ")} (default: ${versions.etcd})
  --os FORM             how the machines take their configuration: ignition or cloud-init (default: ignition)
  --os-like NAME        an operating system that the machines imitate: ubuntu, with systemd-resolved, networkd and the settings of
                        unattended-upgrades (default: none, a minimal Debian)
  --level LEVEL         what hosts itself: 2-4, the control plane and what is above it, 1-4, etcd as well, or 0-4, the
                        kubelet as well, but not etcd (default: 2-4)
  --pod-cidr CIDR       addresses of pods (default: 10.2.0.0/16)
  --service-cidr CIDR   addresses of services (default: 10.3.0.0/16)
  --pod-cidr6 CIDR, --service-cidr6 CIDR
                        those by IPv6 beside, such as fd00:10:2::/56 and fd00:10:3::/112 (default: none)
  --destroy             removes the cluster: its machines, network and state
  --yes, -y             asks nothing
  --help, -h

An existing cluster keeps what is not given here. More can be set with
  npm run pulumi -- config set ...   then   npm start

Where things are (set these to move them):
  TRADEWIND_CACHE   what was fetched or built (~/.cache/tradewind)
  TRADEWIND_STATE   clusters' state, kubeconfig and passphrase (~/.local/share/tradewind)
`;

/** What hosts itself beside the control plane, by the level: docs/levels.md. */
export const partsOf = { "2-4": undefined, "1-4": { etcd: true }, "0-4": { kubelet: true } } as const;

export type Level = keyof typeof partsOf;

export const LEVELS = Object.keys(partsOf) as readonly Level[];

export const KEY = "tradewind:selfHosted";
