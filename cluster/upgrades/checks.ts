import { gte, lt, major, minor } from "semver";
import { KUBERNETES_VERSIONS } from "../../artifacts/lock";
import type { UpgradeCheck } from "../upgrade-overrides";
import { invalid } from "../validate";
import { byVersion, minorOf } from "./version";

/** What runs now. Versions are without the `v`. */
export interface RunningCluster {
    /** Of the kube-apiservers that are ready, oldest first. */
    readonly apiservers: readonly string[];
    readonly nodes: readonly {
        readonly name: string;
        readonly kubelet: string;
        readonly isController: boolean;
        readonly isReady: boolean;
        /** Whether its node-agent, which changes its kubelet, has no trouble. */
        readonly isAgentReady: boolean;
    }[];
    /** What else follows kube-apiserver, each version of it once. */
    readonly components: readonly { readonly name: string; readonly version: string }[];
    readonly etcd: readonly RunningEtcd[];
    /** What is wrong with all of etcd, in words. */
    readonly etcdTroubles: readonly string[];
    readonly deprecatedApis: readonly DeprecatedApi[];
    /** How many kube-apiservers did not tell of these. */
    readonly unaskedApiservers: number;
    /** What of the control plane is not whole, in words. */
    readonly problems: readonly string[];
    /** What of the add-ons is not whole, in words. */
    readonly lackingAddons: readonly string[];
}

/** An API that somebody asked kube-apiserver for, though a later minor version has it no more: `1.32`. */
export interface DeprecatedApi {
    readonly name: string;
    readonly removedIn: string;
}

/** A member of etcd, as its keeper sees it. */
export interface RunningEtcd {
    readonly name: string;
    /** @default - not known: it does not answer */
    readonly version?: string;
    /** What is wrong with it. */
    readonly problem?: string;
}

/** What stands in the way of an upgrade. */
export interface UpgradeProblem {
    readonly check: UpgradeCheck;
    readonly message: string;
}

/** Minor versions that a kubelet may be behind kube-apiserver. Source: Kubernetes' version skew policy. */
export const kubeletsBehind = 3;

/** The same of what else follows it. Source: Kubernetes' version skew policy. */
export const componentsBehind: Readonly<Record<string, number>> = {
    "kube-controller-manager": 1,
    "kube-scheduler": 1,
    "kube-proxy": 3,
};

/** etcd that can be followed by 3.6: an older one may leave members that it cannot start. Source: etcd's upgrade guide. */
const lastBefore36 = "3.5.26";

/** What Kubernetes does not support about going from what runs to the wanted versions. */
export function upgradeProblems(
    running: RunningCluster,
    wanted: { readonly kubernetes: string; readonly etcd: string },
    known: readonly string[] = KUBERNETES_VERSIONS,
): UpgradeProblem[] {
    return [
        ...versionProblems(running, wanted.kubernetes, known),
        ...kubeletProblems(running, wanted.kubernetes),
        ...componentProblems(running, wanted.kubernetes),
        ...etcdProblems(running.etcd, wanted.etcd),
        ...etcdHealthProblems(running.etcd, running.etcdTroubles),
        ...removedApis(running, wanted.kubernetes),
        ...running.problems.map((message): UpgradeProblem => ({ check: "health", message })),
        ...running.nodes.flatMap((node) => nodeHealthProblems(node, wanted.kubernetes)),
    ];
}

/** What an upgrade will wait for, though it can begin: of workers and add-ons, which come last. */
export function upgradeWarnings({ nodes, lackingAddons }: RunningCluster): string[] {
    return [
        ...nodes
            .filter(({ isController, isReady }) => !isController && !isReady)
            .map(({ name }) => `the worker ${name} is not Ready: the kubelets of its pool will wait for it`),
        ...lackingAddons.map((what) => `${what}: its rollout will wait for all of them`),
    ];
}

/** What a preview is refused with. @param what - what can't be done: `go from Kubernetes 1.34.6 to 1.36.3` */
export function describeRefusal(cluster: string, what: string, refused: readonly UpgradeProblem[]): string {
    const checks = [...new Set(refused.map(({ check }) => check))];
    return [
        `${cluster} can't ${what}:`,
        ...refused.map(({ message }) => `  ${message}`),
        `To do it all the same, name what is not to be held against it: upgradeOverrides: [${checks.join(", ")}]`,
    ].join("\n");
}

/** The versions that may follow one, oldest first: of its own minor version and of the next. */
export function allowedNext(from: string, known: readonly string[] = KUBERNETES_VERSIONS): string[] {
    return known.filter((version) => !lt(version, from) && minor(version) - minor(from) <= 1).sort(byVersion);
}

/** The same of kube-apiserver alone. */
export function versionProblems(
    { apiservers }: Pick<RunningCluster, "apiservers">,
    wanted: string,
    known: readonly string[] = KUBERNETES_VERSIONS,
): UpgradeProblem[] {
    const newest = apiservers.at(-1);
    const oldest = apiservers[0];
    const problem = (runs: string, why: string): UpgradeProblem => {
        const legal = allowedNext(runs, known).join(" or ") || noneKnown(runs);
        const message = invalid(
            "kubernetesVersion",
            `${legal} while kube-apiserver ${runs} runs: ${why}`,
            wanted,
        ).message;
        return { check: "version", message };
    };
    if (newest !== undefined && minor(wanted) < minor(newest)) {
        return [problem(newest, "what a newer minor version has stored an older one may not read")];
    }
    return oldest !== undefined && minor(wanted) - minor(oldest) > 1
        ? [problem(oldest, "no minor version may be skipped")]
        : [];
}

/** What may follow a version of which this release has nothing that does. */
function noneKnown(from: string): string {
    const minors = [minorOf(from), `${major(from)}.${minor(from) + 1}`];
    return `one of ${minors.join(" or ")} (this release of Tradewind has none, another one may)`;
}

function kubeletProblems({ nodes }: RunningCluster, wanted: string): UpgradeProblem[] {
    return nodes.flatMap(({ name, kubelet }): UpgradeProblem[] => {
        if (minor(kubelet) > minor(wanted)) {
            const message = `the kubelet of ${name} must not be newer than kube-apiserver ${wanted}, got ${kubelet}`;
            return [{ check: "kubelets", message }];
        }
        if (minor(wanted) - minor(kubelet) > kubeletsBehind) {
            const legal = `at most ${kubeletsBehind} minor versions behind kube-apiserver ${wanted}`;
            return [{ check: "kubelets", message: `the kubelet of ${name} must be ${legal}, got ${kubelet}` }];
        }
        return [];
    });
}

function componentProblems({ components }: RunningCluster, wanted: string): UpgradeProblem[] {
    return components.flatMap(({ name, version }): UpgradeProblem[] => {
        const most = componentsBehind[name] ?? 0;
        const [problem] = [
            ...(minor(version) > minor(wanted) ? ["not be newer than"] : []),
            ...(minor(wanted) - minor(version) > most ? [`be at most ${inMinors(most)} behind`] : []),
        ];
        if (problem === undefined) return [];
        const message = `${name} must ${problem} kube-apiserver ${wanted}, got ${version}`;
        return [{ check: "components", message }];
    });
}

function inMinors(count: number): string {
    return count === 1 ? "1 minor version" : `${count} minor versions`;
}

/** Which members can't be followed by that version. */
export function etcdProblems(etcd: readonly RunningEtcd[], wanted: string): UpgradeProblem[] {
    const stepOf = (version: string) => major(version) * 100 + minor(version);
    return etcd.flatMap(({ name, version }): UpgradeProblem[] => {
        if (version === undefined) {
            return [];
        }
        const legal =
            stepOf(version) > stepOf(wanted)
                ? `${wanted} or older: no minor version can be gone back`
                : stepOf(wanted) - stepOf(version) > 1
                  ? `of the minor version before ${wanted}: none may be skipped`
                  : stepOf(wanted) === 306 && stepOf(version) === 305 && !gte(version, lastBefore36)
                    ? `${lastBefore36} or newer before ${wanted}`
                    : undefined;
        return legal === undefined
            ? []
            : [{ check: "etcd", message: `the etcd of ${name} must be ${legal}, got ${version}` }];
    });
}

/** Which members keep another one from being stopped, and what else does. @param troubles - of all of etcd */
export function etcdHealthProblems(etcd: readonly RunningEtcd[], troubles: readonly string[]): UpgradeProblem[] {
    const problems = [
        ...etcd.flatMap(({ name, problem }) => (problem === undefined ? [] : [[`the etcd of ${name}`, problem]])),
        ...troubles.map((trouble) => ["etcd", trouble]),
    ];
    return problems.map(([what, got]) => ({
        check: "etcd",
        message: `${what} must be healthy before that, got ${got}`,
    }));
}

function nodeHealthProblems(
    { name, kubelet, isController, isReady, isAgentReady }: RunningCluster["nodes"][number],
    wanted: string,
): UpgradeProblem[] {
    const problem =
        isController && !isReady
            ? `the controller ${name} is not Ready`
            : // Who takes a version back that the agent could not bring has nothing to wait for there.
              isReady && !isAgentReady && kubelet !== wanted
              ? `the node-agent of ${name} is not Ready, and would not change its kubelet: its log and the Node's events say why`
              : undefined;
    return problem === undefined ? [] : [{ check: "health", message: problem }];
}

function removedApis({ deprecatedApis }: RunningCluster, wanted: string): UpgradeProblem[] {
    return deprecatedApis
        .filter(({ removedIn }) => gte(`${wanted}`, `${removedIn}.0`))
        .map(({ name, removedIn }) => ({
            check: "removed-apis",
            message: `somebody uses ${name}, which Kubernetes ${removedIn} has no more: a kube-apiserver was asked for it since it started`,
        }));
}
