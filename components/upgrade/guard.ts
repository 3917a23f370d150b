import * as pulumi from "@pulumi/pulumi";
import { gt } from "semver";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import { type ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import { describeError, ifFound } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { isOlderMinor } from "../../clients/kubernetes/minor";
import { flagFindings } from "../../cluster/flags/check";
import { accessProblem, unknownProblem } from "../../cluster/keys/kubernetes-ca";
import { annotatedKeys } from "../../cluster/keys/lists";
import { stackObjectsName } from "../../cluster/manifests/stack-objects";
import { type Cluster, possibleMembers } from "../../cluster/model";
import { isOfUpgrades } from "../../cluster/upgrade-overrides";
import {
    describeRefusal,
    etcdHealthProblems,
    etcdProblems,
    type RunningCluster,
    upgradeProblems,
    upgradeWarnings,
} from "../../cluster/upgrades/checks";
import { describeTakenBack, type GuardedUpgrade, guardProblems, isTakenBack } from "../../cluster/upgrades/guarded";
import { orderWithJobs } from "../../cluster/upgrades/jobs";
import { orderBack, type UpgradeStep } from "../../cluster/upgrades/order";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import { emulatedFlag, flagOf } from "../../cluster/upgrades/rollback";
import { storedAlphaProblems } from "../../cluster/upgrades/stored-alpha";
import { versionWarnings } from "../../cluster/upgrades/supported";
import { admissionRefusals } from "../admission/guard";
import { isMocked, knownValue } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { log } from "../pulumi/log";
import { first, whyUnreachable } from "./api-unreachable";
import { asker, notChecked } from "./asker";
import { candidateProblem, recordedControllers, surplusNote } from "./candidate-guard";
import { decideCniChange, runningCni } from "./cni-change";
import { downloadProblems, isReported, type PoolDownloads } from "./download-problems";
import {
    type EtcdChange,
    type EtcdReport,
    etcdChanges,
    keeperSeconds,
    machineOf,
    type RunningMember,
    readEtcdReport,
    waitUntilWell,
} from "./etcd-changes";
import { rollOutEtcd, unfinishedMembers } from "./etcd-rollout";
import { snapshotNow } from "./etcd-snapshot";
import { lastUpgrade } from "./guard-record";
import { joinedProblem } from "./joined-guard";
import { checkKeys } from "./key-guard";
import { kubeletServingProblem } from "./kubelet-serving";
import { localDataProblems } from "./local-data";
import { networkProblem } from "./network-guard";
import { podSecurityProblems } from "./pod-security";
import { volumeProblem } from "./prometheus-volume";
import { kubeletSeconds, shownMembers, waitUntilShown } from "./reported-members";
import { appliedApiserver, runningCluster, waitUntilHealthy } from "./running";
import { downloadsInUse, nodeFiles } from "./running-downloads";
import { beginGuarded } from "./soak";
import { describeUnserved, stackNodes } from "./stack-nodes";
import { storedAlpha } from "./stored-alpha";
import { jobProblem, recordVersion, runJobsAfter } from "./upgrade-jobs";
import { describeStep, endWalk, flagsOnTheWay, isOnTheWay, stepsTo, walkedTemplates } from "./walk";
import { oldestReader, recordReadableBy, recordStoring, type WayBack, wayBack } from "./way-back";

/** How the stack connects to its cluster. */
interface ClusterAccess {
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Output<string>;
    /** See `Pki`. */
    readonly lacksIssuer: Promise<boolean>;
    /** What may bring an unreachable API back: machines, and their load balancer. @default none */
    readonly servedBy?: readonly pulumi.Resource[];
    /** Pools whose nodes are named by the cloud. @default - none */
    readonly nodeGroups?: NodeGroups;
    /**
     * Whether the API is known to be lost together with its controllers, so that what cannot be checked is only a
     * warning.
     * @default false
     */
    readonly isApiLost?: boolean;
    /** Whether this `up` has started the cluster. @default an earlier one has */
    readonly isNew?: () => boolean;
}

/** A cluster that may be changed. */
export interface Upgradable {
    /** Administrator's. */
    readonly kubeconfig: pulumi.Output<string>;
    /** Whether the running versions could be read, once the kubeconfig is known. Not if the API is unreachable. */
    readonly wasAsked: () => boolean;
    /** Whether the cluster goes back to an older minor version: components change in another order then. */
    readonly goesBack: Promise<boolean>;
    /** Whether this `up` has started the cluster: the stack adopts what the bootstrap has applied. */
    readonly isNew: Promise<boolean>;
}

/** What the checks have found out. */
interface Checked {
    /** Whether the running versions could be read. */
    readonly wasAsked: boolean;
    /** See `Upgradable`. */
    readonly goesBack: boolean;
}

const unasked: Checked = { wasAsked: false, goesBack: false };

/**
 * The kubeconfig, once the cluster may have the desired versions and keys: whatever depends on it changes nothing
 * before that.
 *
 * An upgrade is checked against what runs, at preview too. `up` then takes an etcd snapshot and updates the etcd
 * members. A preview of a cluster that does not respond continues with the state. An `up` changes machines, which may
 * bring the API back, and fails otherwise: nothing in the cluster is changed or forgotten.
 *
 * @param downloads - downloads of pools, if the configuration sets them
 * @throws RunError with everything that prevents the change
 */
export function whenUpgradable(
    cluster: Cluster,
    { kubeconfig, lacksIssuer, servedBy = [], nodeGroups, isApiLost = false, isNew = () => false }: ClusterAccess,
    pivot: pulumi.CustomResource,
    component: pulumi.Resource,
    downloads: readonly PoolDownloads[] = [],
): Upgradable {
    const { unknown, deprecated } = flagFindings(cluster);
    const overridden = unknown.map((message) => `${message} (upgradeOverrides: flags)`);
    for (const warning of [...versionWarnings(cluster), ...overridden, ...deprecated]) log.warn(warning, component);
    // With a CA that does not exist yet, nothing can be read: the kubeconfig is unknown then.
    const isKnown = pulumi.output(lacksIssuer).apply((lacks) => {
        if (lacks) throw plainError(cannotHave(cluster, unknownProblem(cluster.keys)));
        return true;
    });
    const mustAnswer = !isApiLost && !isMocked();
    let found = unasked;
    let startsNow = false;
    const checked = pulumi.all([kubeconfig, pivot.id, isKnown]).apply(([text]) =>
        withKubeconfig(text, "tradewind-up", async (api) => {
            if (mustAnswer && (await isUnreachable(api, cluster, servedBy, component))) {
                return text.replaceAll(readKubeconfig(text).server, unreachableServer);
            }
            const patience = mustAnswer && !pulumi.runtime.isDryRun() ? upSeconds : undefined;
            found = await checkUpgrade(api, cluster, component, downloads, nodeGroups, patience);
            startsNow = isNew() && (await isUnrecorded(api));
            return text;
        }),
    );
    const goesBack = knownValue(checked).then(() => found.goesBack);
    const started = knownValue(checked).then(() => startsNow);
    return { kubeconfig: checked, wasAsked: () => found.wasAsked, goesBack, isNew: started };
}

/** Whether no `up` has completed. Otherwise the bootstrap only ran again, with `--replace`. */
async function isUnrecorded(api: ApiClient): Promise<boolean> {
    const record = api.call(`/api/v1/namespaces/kube-system/configmaps/${stackObjectsName}`);
    return ifFound(record).then(
        (found) => found === undefined,
        () => false,
    );
}

/**
 * Server for a preview with an unreachable API: plugins give up on a refused port within seconds, but on one that does
 * not respond only after minutes.
 */
const unreachableServer = "https://127.0.0.1:1";

const noWayBack: WayBack = { problems: [] };

/** How long `up` waits for an unreachable API, once it has reported it and all machines are up to date. */
const upSeconds = 45;

/**
 * Whether a preview must continue without the API.
 *
 * @throws RunError if an `up` would have to
 */
async function isUnreachable(
    api: ApiClient,
    cluster: Cluster,
    servedBy: readonly pulumi.Resource[],
    component: pulumi.Resource,
): Promise<boolean> {
    const why = await whyUnreachable(api, first);
    if (why === undefined) return false;
    if (pulumi.runtime.isDryRun()) {
        await log.warn(notChecked(cluster, why, true), component);
        return true;
    }
    const { name } = cluster;
    await log.warn(`${name}: API unreachable: ${why}; waiting for machines and ${upSeconds} s more`, component);
    await Promise.all(servedBy.map(({ urn }) => known(urn)));
    const still = await whyUnreachable(api, { seconds: upSeconds });
    if (still === undefined) return false;
    const what = `${name}: API unreachable, nothing in the cluster was changed: ${still}`;
    throw plainError(`${what}; run \`tradewind status\` to see what is wrong, and try again once the API responds`);
}

function known(urn: pulumi.Output<string>): Promise<string> {
    return new Promise((resolve) => void urn.apply(resolve));
}

/** @throws RunError if the pod network cannot change */
async function checkCni(api: ApiClient, { name, network }: Cluster, component: pulumi.Resource): Promise<void> {
    const { problem, plan } = decideCniChange(await runningCni(api, network), network);
    if (problem !== undefined) throw plainError(`${name}: ${problem}`);
    if (plan !== undefined) await log.info(`${name}: ${plan}`, component);
}

function cannotHave({ name }: Cluster, problem: string): string {
    return `${name} cannot change to these keys yet:\n  ${problem}`;
}

/**
 * @param patience - seconds to retry checks that fail for a transient reason, before the error. @default - checks that
 * cannot be done are warnings
 * @throws RunError with everything that prevents the change, or what could not be checked
 */
export async function checkUpgrade(
    api: ApiClient,
    cluster: Cluster,
    component: pulumi.Resource,
    downloads: readonly PoolDownloads[] = [],
    nodeGroups?: NodeGroups,
    patience?: number,
): Promise<Checked> {
    const desired = cluster.versions.kubernetes;
    const ask = asker(cluster, component, patience);
    const applied = () =>
        appliedApiserver(api).catch((error) => {
            const problem = accessProblem(cluster, error);
            throw problem === undefined ? error : plainError(cannotHave(cluster, problem));
        });
    const running = await ask("the running kube-apiserver", applied, undefined);
    if (running === undefined) {
        return unasked;
    }
    // First, because it may cause the other problems.
    const refusals = await ask("admission in kube-system", () => admissionRefusals(api, component), []);
    await refuse(refusals, cluster, "change anything", component);
    const requireNone = async (what: string, find: () => Promise<string | undefined>) => {
        const problem = await ask(what, find, undefined);
        if (problem !== undefined) throw plainError(`${cluster.name}: ${problem}`);
    };
    await requireNone("its networks", () => networkProblem(api, cluster));
    await ask("its pod network", () => checkCni(api, cluster, component), undefined);
    const removed = async () => {
        const nodes = await stackNodes(api, cluster, nodeGroups);
        return { nodes, problems: await localDataProblems(api, nodes, "removed") };
    };
    const removal = await ask("data on disks of machines", removed, undefined);
    const nodes = removal?.nodes.all ?? [];
    const record = await ask("which nodes are controllers", () => recordedControllers(api), {});
    await requireNone("its candidates", async () => candidateProblem(nodes, record, cluster));
    await requireNone("machines that joined by a token", () => joinedProblem(api, nodes, cluster));
    const surplus = surplusNote(nodes, cluster);
    if (surplus !== undefined) await log.warn(`${cluster.name}: ${surplus}`, component);
    await refuse(removal?.problems ?? [], cluster, "remove these machines", component);
    const { version: from, annotations, flags } = running;
    await ask("its keys", () => checkKeys(api, annotatedKeys(annotations), cluster, component), undefined);
    await requireNone("certificates of kubelets", () => kubeletServingProblem(api, cluster, flags));
    await requireNone("Prometheus' volume", () => volumeProblem(api, cluster));
    const violators = await ask("Pod Security of running pods", () => podSecurityProblems(api, cluster), []);
    await refuse(violators, cluster, "restrict pods", component);
    const noEtcd = { members: [], unfinished: [] };
    const { members, unfinished } = await ask("etcd", () => etcdNow(api, cluster, component), noEtcd);
    const changes = etcdChanges(cluster, members, unfinished);
    // A change that was already accepted continues, whatever state it left the cluster in.
    const runsAs = flagOf(flags, emulatedFlag) ?? from;
    const isUpgrade = from !== desired || runsAs !== from;
    const goesBack = isOlderMinor(desired, runsAs);
    if (isUpgrade && gt(desired, from)) await requireNone("its upgradeJobs", () => jobProblem(api, cluster));
    const isPreview = pulumi.runtime.isDryRun();
    const last = await ask("the upgrade guard", () => lastUpgrade(api), undefined);
    const takenBack = guardProblems(last, desired);
    if (last) await reportGuard(last, cluster, component);
    if (!isUpgrade) await refuse(takenBack, cluster, `change to Kubernetes ${desired}`, component);
    const programs =
        isUpgrade || !isPreview
            ? await ask("the control plane's programs", () => walkedTemplates(api), undefined)
            : undefined;
    const steps = programs ? stepsTo(cluster, programs) : [];
    const back = await ask("the way back", () => wayBack(api, cluster, running), noWayBack);
    await refuse(back.problems, cluster, "have this rollbackTo", component);
    if (back.notice) await log.info(`${cluster.name}: ${back.notice}`, component);
    if (back.record && !isPreview) await recordReadableBy(api, back.record);
    const checksums = await ask("downloads of nodes", () => checksumProblems(api, downloads), []);
    if (!isUpgrade) await refuse(checksums, cluster, "have these downloads", component);
    const unserved = (removal?.nodes.unserved ?? []).map(describeUnserved);
    if (!isUpgrade) for (const message of unserved) await log.warn(message, component);
    const guardNow = async () => {
        if (programs === undefined) return;
        const upgrade = { from, before: programs, isOnTheWay: isOnTheWay(programs) };
        const isGuarded = await ask("the upgrade guard", () => beginGuarded(api, cluster, upgrade), false);
        if (isGuarded) await recordStoring(api, cluster);
    };
    if (!isUpgrade && changes.length === 0) {
        if (!isPreview) await guardNow();
        if (programs && isOnTheWay(programs)) await walkOn(api, cluster, component);
        await reportIdle(cluster, component);
        return { wasAsked: true, goesBack };
    }
    const { etcd } = cluster.versions;
    const problemsNow = async () => {
        if (!pulumi.runtime.isDryRun() && !cluster.upgradeOverrides.includes("etcd")) {
            await waitUntilWell(api, keeperSeconds);
        }
        if (!isPreview && isUpgrade && !cluster.upgradeOverrides.includes("health")) {
            await waitUntilHealthy(() => runningCluster(api), desired);
        }
        if (!isUpgrade) return etcdOnly(await readEtcdReport(api), etcd);
        const runs = { ...(await observeCluster(api, component)), readableBy: await oldestReader(api) };
        const { rollbackTo } = cluster;
        return [
            ...upgradeProblems(runs, { kubernetes: desired, etcd, rollbackTo }),
            ...(programs ? flagsOnTheWay(cluster, programs) : []),
            ...storedAlphaProblems(await storedAlpha(api, running), cluster, goesBack),
            ...takenBack,
            ...checksums,
            ...leftBehind(unserved),
        ];
    };
    const problems = await ask("the versions and state of the cluster", problemsNow, undefined);
    await refuse(
        problems ?? [],
        cluster,
        isUpgrade ? `go from Kubernetes ${from} to ${desired}` : "change its etcd",
        component,
    );
    for (const { text } of changes) await log.info(text, component);
    const forward = `becomes ${desired}: ${orderWithJobs(cluster.upgradeJobs)}`;
    const course = goesBack ? `goes back to ${desired}: ${orderBack}` : forward;
    if (isUpgrade) await log.info(`Kubernetes ${from} ${course}`, component);
    if (steps.length > 0) await log.info(`rollouts on the way: ${steps.map(describeStep).join(", then ")}`, component);
    if (!isPreview) {
        if (isUpgrade) await recordVersion(cluster, from, api);
        const runJobs = async (step?: UpgradeStep) => {
            const report = (message: string) => log.info(message, component);
            if (isUpgrade) await runJobsAfter(step, cluster, from, api, report);
        };
        await runJobs();
        const { last } = await snapshotNow(api);
        await log.info(`snapshot before the upgrade: ${last?.name ?? "none"}`, component);
        await runJobs("snapshot");
        await changeEtcd(api, cluster, changes, members, component, isUpgrade);
        await runJobs("etcd");
        await guardNow();
        // The way back begins when kubelets are not newer any more: see `wayBackHook`.
        if (programs && (isOnTheWay(programs) || !goesBack)) await walkOn(api, cluster, component);
    }
    // Then the state's version is checked.
    return { wasAsked: problems !== undefined, goesBack };
}

/** What a guard has done that concerns this change. @throws RunError while it does something else */
async function reportGuard(last: GuardedUpgrade, { name, versions }: Cluster, component: pulumi.Resource) {
    const { record, report } = last;
    if (!isTakenBack(last) || record.isAccepted) return;
    const isWayBack = versions.kubernetes === record.from;
    // The stack's own way back over several minor versions has other templates.
    if (report?.state === "rolling-back" && (!isWayBack || record.way?.length)) {
        throw plainError(`${name}: ${describeTakenBack(last)}; try again once that is done`);
    }
    if (isWayBack) await log.info(`${name}: ${describeTakenBack(last)}`, component);
}

/** Nodes that an upgrade would not reach. */
function leftBehind(unserved: readonly string[]): UpgradeProblem[] {
    return unserved.map((message) => ({ check: "health", message }));
}

/** What runs, with warnings about what could not be checked and what an upgrade will wait for. */
async function observeCluster(api: ApiClient, component: pulumi.Resource): Promise<RunningCluster> {
    const running = await runningCluster(api);
    const { unaskedApiservers: unasked } = running;
    if (unasked > 0) {
        const which = unasked === 1 ? "a kube-apiserver" : `${unasked} kube-apiservers`;
        const what = "could not be checked for use of removed APIs: the load balancer routed to others";
        await log.warn(`${which} ${what}`, component);
    }
    for (const warning of upgradeWarnings(running)) await log.warn(warning, component);
    return running;
}

function etcdOnly({ members, troubles }: EtcdReport, desired: string): UpgradeProblem[] {
    return [...etcdProblems(members, desired), ...etcdHealthProblems(members, troubles)];
}

async function etcdNow(api: ApiClient, cluster: Cluster, component: pulumi.Resource) {
    const [members, unfinished] = await Promise.all([membersOf(api, cluster, component), unfinishedMembers(api)]);
    return { members, unfinished };
}

/** How the etcd members run. A member that cannot be read must not be assumed to be up to date. */
async function membersOf(
    api: ApiClient,
    cluster: Cluster,
    component: pulumi.Resource,
): Promise<readonly RunningMember[]> {
    const { name } = cluster;
    const isPreview = pulumi.runtime.isDryRun();
    const { members, missing, unregistered } = await shownMembers(
        api,
        possibleMembers(cluster),
        isPreview ? 0 : kubeletSeconds,
    );
    if (missing.length > 0) {
        const pods = missing.map((node) => `etcd-${node}`).join(", ");
        const message = `${name}: the API does not have the pods ${pods}, which kubelets report about every minute`;
        if (!isPreview) throw plainError(`${message}, so etcd there cannot be checked; ${remedy(unregistered)}`);
        await log.warn(`${message}: \`up\` will check whether etcd must change there`, component);
    }
    return members;
}

function remedy(unregistered: readonly string[]): string {
    if (unregistered.length === 0) return "check the kubelet";
    const nodes = `Node${unregistered.length === 1 ? "" : "s"} ${unregistered.join(", ")}`;
    return `the API has no ${nodes}: run \`systemctl restart kubelet\` on that machine to register it, then try again`;
}

/** A forgotten override would hide problems of the next upgrade. */
async function reportIdle({ name, upgradeOverrides }: Cluster, component: pulumi.Resource): Promise<void> {
    const idle = upgradeOverrides.filter((check) => isOfUpgrades(check));
    if (idle.length === 0) return;
    const what = `upgradeOverrides: [${idle.join(", ")}] has no effect now, and would hide problems of the next upgrade`;
    await log.warn(`${name}: ${what}: remove it`, component);
}

/** @throws RunError with what is not overridden */
async function refuse(
    problems: readonly UpgradeProblem[],
    { name: cluster, upgradeOverrides }: Cluster,
    what: string,
    component: pulumi.Resource,
): Promise<void> {
    const isOverridden = ({ check: name }: UpgradeProblem) => upgradeOverrides.includes(name);
    for (const { check: name, message } of problems.filter(isOverridden)) {
        await log.warn(`${message} (upgradeOverrides: ${name})`, component);
    }
    const refused = problems.filter((problem) => !isOverridden(problem));
    if (refused.length > 0) {
        throw plainError(describeRefusal(cluster, what, refused));
    }
}

async function changeEtcd(
    api: ApiClient,
    cluster: Cluster,
    changes: readonly EtcdChange[],
    members: readonly RunningMember[],
    component: pulumi.Resource,
    isUpgrade: boolean,
): Promise<void> {
    try {
        const report = (message: string) => log.info(message, component);
        await rollOutEtcd(api, cluster, changes, members.map(machineOf), report);
        // It may take more than a minute, but the rest of an upgrade takes longer.
        if (!isUpgrade) await waitUntilShown(api, cluster, changes);
    } catch (error) {
        throw plainError(`${cluster.name}: ${describeError(error)}`);
    }
}

async function walkOn(api: ApiClient, cluster: Cluster, component: pulumi.Resource): Promise<void> {
    try {
        await endWalk({ api, cluster, report: (message) => log.info(message, component) });
    } catch (error) {
        throw plainError(`${cluster.name}: ${describeError(error)}`);
    }
}

/**
 * Checksums that nodes would refuse or not check. Already accepted downloads continue, whatever state they left nodes
 * in.
 */
export async function checksumProblems(api: ApiClient, desired: readonly PoolDownloads[]): Promise<UpgradeProblem[]> {
    if (desired.length === 0) return [];
    const reported = await downloadsInUse(api);
    if (desired.every((each) => isReported(each, reported[each.pool]))) return [];
    const messages = downloadProblems(desired, await nodeFiles(api));
    return messages.map((message) => ({ check: "checksums", message }));
}
