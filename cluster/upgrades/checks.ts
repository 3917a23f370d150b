import { gte, lt, major, minor } from "semver";
import { isOlderMinor } from "../../clients/kubernetes/minor";
import { KUBERNETES_VERSIONS } from "../../versions";
import { invalid } from "../validate";
import type { UpgradeProblem } from "./problem";
import { minorsBack } from "./rollback";
import { kubernetesMinors } from "./supported";
import { byVersion, minorOf, minorsAfter, minorsBetween } from "./version";

/** The running cluster. Versions are without the `v`. */
export interface RunningCluster {
    /** Versions of the kube-apiservers that are ready, oldest first. */
    readonly apiservers: readonly string[];
    /** Whether one of them emulates another version: an `up` over several minor versions was interrupted. @default false */
    readonly isOnTheWay?: boolean;
    /** The oldest minor version that can read what they have stored. @default - unknown */
    readonly readableBy?: string;
    readonly nodes: readonly {
        readonly name: string;
        readonly kubelet: string;
        readonly isController: boolean;
        readonly isReady: boolean;
        /** Whether its node-agent, which updates its kubelet, has no problems. */
        readonly isAgentReady: boolean;
        /** Whether it should have a node-agent, but has no pod of one. @default false */
        readonly lacksAgent?: boolean;
        /** Whether an upgrade leaves its kubelet alone: it joined by hand, or an annotation pins it. @default false */
        readonly keepsKubelet?: boolean;
    }[];
    /** Other components that must follow kube-apiserver, with each of their versions. */
    readonly components: readonly { readonly name: string; readonly version: string }[];
    readonly etcd: readonly RunningEtcd[];
    /** Problems of etcd as a whole, in words. */
    readonly etcdTroubles: readonly string[];
    readonly deprecatedApis: readonly DeprecatedApi[];
    /** How many kube-apiservers did not report deprecated APIs. */
    readonly unaskedApiservers: number;
    /** Unhealthy parts of the control plane, in words. */
    readonly problems: readonly string[];
    /** Unhealthy parts of the add-ons, in words. */
    readonly lackingAddons: readonly string[];
}

/** An API that a client requested although a later minor version (`1.32`) removes it. */
export interface DeprecatedApi {
    readonly name: string;
    readonly removedIn: string;
}

/** An etcd member, as its keeper observes it. */
export interface RunningEtcd {
    readonly name: string;
    /** @default - unknown: it does not respond */
    readonly version?: string;
    /** What is wrong with it. */
    readonly problem?: string;
}

/** Number of minor versions that a kubelet may be behind kube-apiserver. Source: Kubernetes' version skew policy. */
export const kubeletsBehind = 3;

/** The same for other components. Source: Kubernetes' version skew policy. */
export const componentsBehind: Readonly<Record<string, number>> = {
    "kube-controller-manager": 1,
    "kube-scheduler": 1,
    "kube-proxy": 3,
};

/**
 * Oldest etcd that can be upgraded to 3.6: an older one may leave members that 3.6 cannot start. Source: etcd's upgrade
 * guide.
 */
const lastBefore36 = "3.5.26";

/** Reasons why Kubernetes does not support an upgrade from the running to the desired versions. */
export function upgradeProblems(
    running: RunningCluster,
    target: { readonly kubernetes: string; readonly etcd: string; readonly rollbackTo?: string },
): UpgradeProblem[] {
    return [
        ...versionProblems(running, target.kubernetes, target.rollbackTo),
        ...kubeletProblems(running, target.kubernetes),
        ...componentProblems(running, target),
        ...etcdProblems(running.etcd, target.etcd),
        ...etcdHealthProblems(running.etcd, running.etcdTroubles),
        ...removedApis(running, target.kubernetes),
        ...healthProblems(running, target.kubernetes),
    ];
}

/** What may pass while a rollout that an earlier `up` began is still in progress. */
export function healthProblems(running: RunningCluster, target: string): UpgradeProblem[] {
    return [
        ...running.problems.map((message): UpgradeProblem => ({ check: "health", message })),
        ...running.nodes.flatMap((node) => nodeHealthProblems(node, target)),
    ];
}

/** What an upgrade will wait for although it can start: workers and add-ons, which are updated last. */
export function upgradeWarnings({ nodes, lackingAddons }: RunningCluster): string[] {
    return [
        ...nodes
            .filter(({ isController, isReady }) => !isController && !isReady)
            .map(({ name }) => `the worker ${name} is not Ready: kubelet upgrades of its pool will wait for it`),
        ...lackingAddons.map((what) => `${what}: its rollout will wait for all of them`),
    ];
}

/** The error of a refused preview. @param what - what cannot be done: `go from Kubernetes 1.34.6 to 1.36.3` */
export function describeRefusal(cluster: string, what: string, refused: readonly UpgradeProblem[]): string {
    const checks = [...new Set(refused.map(({ check }) => check))];
    return [
        `${cluster} can't ${what}:`,
        ...refused.map(({ message }) => `  ${message}`),
        `To proceed anyway, skip these checks: upgradeOverrides: [${checks.join(", ")}]`,
    ].join("\n");
}

/** Versions that may follow a version, oldest first: of the same minor version and the next one. */
export function allowedNext(from: string, known: readonly string[] = KUBERNETES_VERSIONS): string[] {
    return known.filter((version) => !lt(version, from) && minor(version) - minor(from) <= 1).sort(byVersion);
}

/** Reasons why kube-apiserver alone may not be upgraded to a version, or go back to it. */
export function versionProblems(
    { apiservers, readableBy }: Pick<RunningCluster, "apiservers" | "readableBy">,
    target: string,
    rollbackTo?: string,
): UpgradeProblem[] {
    const newest = apiservers.at(-1);
    const oldest = apiservers[0];
    const problem = (runs: string, minors: readonly string[], why: string): UpgradeProblem => {
        const supported = minors.filter((each) => kubernetesMinors.includes(each));
        const legal =
            supported.length > 0
                ? `a release of ${supported.join(" or ")}`
                : `a release of ${minors.join(" or ")} (this release of Tradewind supports neither; use another one)`;
        const message = invalid(
            "kubernetesVersion",
            `${legal} while kube-apiserver ${runs} runs: ${why}`,
            target,
        ).message;
        return { check: "version", message };
    };
    if (newest !== undefined && isOlderMinor(target, newest)) {
        if (readableBy === undefined) {
            const why = `whether ${minorOf(target)} can read its data is unknown while the API is unreachable`;
            return [problem(newest, [minorOf(newest)], why)];
        }
        if (!isOlderMinor(target, readableBy)) return [];
        const older = `versions before ${readableBy} may not read what is stored; restore a snapshot from before the upgrade`;
        return [problem(newest, minorsBetween(readableBy, newest), older)];
    }
    const steps = oldest === undefined ? 0 : minor(target) - minor(oldest);
    if (oldest === undefined || steps <= 1) return [];
    const from = minorOf(oldest);
    if (steps > minorsBack || !kubernetesMinors.includes(from)) {
        return [problem(oldest, minorsAfter(oldest), "minor versions cannot be skipped")];
    }
    if (rollbackTo !== undefined && !isOlderMinor(from, rollbackTo)) return [];
    return [problem(oldest, minorsAfter(oldest), `minor versions cannot be skipped without rollbackTo: "${from}"`)];
}

/** Whether a change to a version goes back to an older minor version: kubelets and controllers go first then. */
function goesBack({ apiservers }: RunningCluster, target: string): boolean {
    const newest = apiservers.at(-1);
    return newest !== undefined && isOlderMinor(target, newest);
}

function kubeletProblems(running: RunningCluster, target: string): UpgradeProblem[] {
    const isBack = goesBack(running, target);
    return running.nodes.flatMap(({ name, kubelet, keepsKubelet = false }): UpgradeProblem[] => {
        if (minor(kubelet) > minor(target) && (keepsKubelet || !isBack)) {
            const message = `the kubelet of ${name} must not be newer than kube-apiserver ${target} (got ${kubelet})`;
            return [{ check: "kubelets", message }];
        }
        if (minor(target) - minor(kubelet) > kubeletsBehind) {
            const legal = `at most ${kubeletsBehind} minor versions behind kube-apiserver ${target}`;
            return [{ check: "kubelets", message: `the kubelet of ${name} must be ${legal} (got ${kubelet})` }];
        }
        return [];
    });
}

function componentProblems(
    running: RunningCluster,
    { kubernetes: target, rollbackTo }: { readonly kubernetes: string; readonly rollbackTo?: string },
): UpgradeProblem[] {
    const isBack = goesBack(running, target);
    const [oldest] = running.apiservers;
    const areSteps = versionProblems(running, target, rollbackTo).length === 0;
    // On the way over several minor versions, they follow kube-apiserver from one to the next, one behind in between.
    const steps = oldest === undefined ? 0 : minor(target) - minor(oldest) - (running.isOnTheWay ? 0 : 1);
    const skipped = areSteps ? Math.max(0, steps) : 0;
    return running.components.flatMap(({ name, version }): UpgradeProblem[] => {
        const behind = componentsBehind[name] ?? 0;
        const most = behind === 1 ? behind + skipped : behind;
        const [problem] = [
            ...(minor(version) > minor(target) && !isBack ? ["not be newer than"] : []),
            ...(minor(target) - minor(version) > most ? [`be at most ${inMinors(most)} behind`] : []),
        ];
        if (problem === undefined) return [];
        const message = `${name} must ${problem} kube-apiserver ${target} (got ${version})`;
        return [{ check: "components", message }];
    });
}

function inMinors(count: number): string {
    return count === 1 ? "1 minor version" : `${count} minor versions`;
}

/** Members that can neither be upgraded to a version nor go back to it. */
export function etcdProblems(etcd: readonly RunningEtcd[], target: string): UpgradeProblem[] {
    const stepOf = (version: string) => major(version) * 100 + minor(version);
    return etcd.flatMap(({ name, version }): UpgradeProblem[] => {
        if (version === undefined) return [];
        const legal =
            stepOf(version) - stepOf(target) > 1
                ? `at most one minor version newer than ${target}: etcd goes back one at a time`
                : stepOf(target) - stepOf(version) > 1
                  ? `of the minor version before ${target}: minor versions cannot be skipped`
                  : stepOf(target) === 306 && stepOf(version) === 305 && !gte(version, lastBefore36)
                    ? `${lastBefore36} or newer before ${target}`
                    : undefined;
        return legal === undefined
            ? []
            : [{ check: "etcd", message: `the etcd of ${name} must be ${legal} (got ${version})` }];
    });
}

/** Reasons not to stop another etcd member. @param troubles - of etcd as a whole */
export function etcdHealthProblems(etcd: readonly RunningEtcd[], troubles: readonly string[]): UpgradeProblem[] {
    const problems = [
        ...etcd.flatMap(({ name, problem }) => (problem === undefined ? [] : [[`the etcd of ${name}`, problem]])),
        ...troubles.map((trouble) => ["etcd", trouble]),
    ];
    return problems.map(([what, got]) => ({
        check: "etcd",
        message: `${what} must be healthy first (got ${got})`,
    }));
}

function nodeHealthProblems(
    { name, kubelet, isController, isReady, isAgentReady, lacksAgent }: RunningCluster["nodes"][number],
    target: string,
): UpgradeProblem[] {
    const problem =
        isController && !isReady
            ? `the controller ${name} is not Ready`
            : // Reverting to a version does not depend on an agent that failed to install another one.
              isReady && !isAgentReady && kubelet !== target
              ? `the node-agent of ${name} is not Ready and would not update its kubelet: see its log and the Node's events`
              : isReady && lacksAgent && kubelet !== target
                ? `${name} has no node-agent, so its kubelet would not be updated: see \`kubectl -n kube-system get daemonsets,events\``
                : undefined;
    return problem === undefined ? [] : [{ check: "health", message: problem }];
}

function removedApis({ deprecatedApis }: RunningCluster, target: string): UpgradeProblem[] {
    return deprecatedApis
        .filter(({ removedIn }) => gte(`${target}`, `${removedIn}.0`))
        .map(({ name, removedIn }) => ({
            check: "removed-apis",
            message: `${name} is in use, but Kubernetes ${removedIn} removes it: clients have requested it since a kube-apiserver started`,
        }));
}
