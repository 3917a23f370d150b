import * as pulumi from "@pulumi/pulumi";
import { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { flagFindings } from "../../cluster/flags/check";
import { accessProblem, unknownProblem } from "../../cluster/keys/authorities";
import { annotatedKeys } from "../../cluster/keys/lists";
import { readKubeconfig } from "../../cluster/kubeconfig";
import type { Cluster } from "../../cluster/model";
import { isOfUpgrades } from "../../cluster/upgrade-overrides";
import {
    describeRefusal,
    etcdHealthProblems,
    etcdProblems,
    type RunningCluster,
    type UpgradeProblem,
    upgradeProblems,
    upgradeWarnings,
} from "../../cluster/upgrades/checks";
import { upgradeOrder } from "../../cluster/upgrades/order";
import { admissionRefusals } from "../admission/guard";
import { takesHooks } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { first, mustAnswer, whyAway } from "./api-away";
import { downloadProblems, isTold, type PoolDownloads } from "./download-problems";
import {
    type EtcdChange,
    etcdChanges,
    keeperSeconds,
    machineOf,
    type RunningMember,
    type SeenEtcd,
    seenEtcd,
    waitUntilWell,
} from "./etcd-changes";
import { rollOutEtcd } from "./etcd-rollout";
import { snapshotNow } from "./etcd-snapshot";
import { checkKeys } from "./key-guard";
import { networkProblem } from "./network-guard";
import { kubeletSeconds, shownMembers } from "./reported-members";
import { runningCluster, type Told, toldLast } from "./running";
import { nodeFiles, toldDownloads } from "./running-downloads";

/** How the stack asks its cluster. */
interface ClusterAccess {
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Output<string>;
    /** As of `Pki`. */
    readonly lacksIssuer: Promise<boolean>;
    /** What may bring an API back that does not answer: machines, and what leads to them. @default none */
    readonly servedBy?: readonly pulumi.Resource[];
}

/** A cluster that may be changed. */
export interface Upgradable {
    /** Administrator's. */
    readonly kubeconfig: pulumi.Output<string>;
    /** Whether it told what runs, once the kubeconfig is there. It does not where its API is away. */
    readonly wasAsked: () => boolean;
}

/**
 * The kubeconfig, once the cluster may have the versions and keys that are wanted: who waits for it changes nothing before.
 *
 * An upgrade is checked against what runs, in previews too, and `up` takes a snapshot of etcd before it, and changes etcd's
 * members. A preview of a cluster that does not answer goes on with what the state says. An `up` changes machines, which
 * may bring the API back, and else fails: nothing in the cluster is changed or forgotten.
 *
 * @param downloads - what pools fetch, where configurations say it
 * @throws RunError with everything that stands in the way
 */
export function whenUpgradable(
    cluster: Cluster,
    { kubeconfig, lacksIssuer, servedBy = [] }: ClusterAccess,
    pivot: pulumi.CustomResource,
    component: pulumi.Resource,
    downloads: readonly PoolDownloads[] = [],
): Upgradable {
    const { unknown, deprecated } = flagFindings(cluster);
    const overridden = unknown.map((message) => `${message} (upgradeOverrides: flags)`);
    for (const warning of [...overridden, ...deprecated]) pulumi.log.warn(warning, component);
    // Who asks by an authority that is yet to come learns nothing: the kubeconfig is not known then.
    const isKnown = pulumi.output(lacksIssuer).apply((lacks) => {
        if (lacks) throw plainError(cannotHave(cluster, unknownProblem(cluster.keys)));
        return true;
    });
    let wasAsked = false;
    const checked = pulumi.all([kubeconfig, pivot.id, isKnown]).apply(async ([text]) => {
        const { server, credentials } = readKubeconfig(text);
        const api = new ApiClient(server, () => credentials, "tradewind-up");
        try {
            if (await isAway(api, cluster, servedBy, component)) return text.replaceAll(server, nowhere);
            wasAsked = await checkUpgrade(api, cluster, component, downloads);
        } finally {
            // The program ends when nothing is open any more.
            api.reconnect();
        }
        return text;
    });
    return { kubeconfig: checked, wasAsked: () => wasAsked };
}

/**
 * Where a preview looks for an API that does not answer: a plugin gives up a port that refuses in seconds, and one at which
 * nothing answers in minutes.
 */
const nowhere = "https://127.0.0.1:1";

/** How long `up` waits for an API that does not answer, once it has said so and all machines are as the stack wants. */
const upSeconds = 45;

/**
 * Whether a preview has to go on without the API.
 *
 * @throws RunError where an `up` has to
 */
async function isAway(
    api: ApiClient,
    cluster: Cluster,
    servedBy: readonly pulumi.Resource[],
    component: pulumi.Resource,
): Promise<boolean> {
    // Pulumi's mocks have no cluster.
    if (!mustAnswer() || !takesHooks()) return false;
    const why = await whyAway(api, first);
    if (why === undefined) return false;
    if (pulumi.runtime.isDryRun()) {
        await pulumi.log.warn(notChecked(cluster, why, true), component);
        return true;
    }
    const { name } = cluster;
    await pulumi.log.warn(
        `${name}: its API does not answer: ${why}; waiting for machines, and ${upSeconds} s more`,
        component,
    );
    await Promise.all(servedBy.map(({ urn }) => known(urn)));
    const still = await whyAway(api, { seconds: upSeconds });
    if (still === undefined) return false;
    const what = `${name}: its API does not answer, so nothing in the cluster was changed: ${still}`;
    throw plainError(`${what}; see what is wrong by \`tradewind status\`, and run this again once it answers`);
}

function known(urn: pulumi.Output<string>): Promise<string> {
    return new Promise((resolve) => void urn.apply(resolve));
}

function cannotHave({ name }: Cluster, problem: string): string {
    return `${name} can't have these keys yet:\n  ${problem}`;
}

/** What to know of a change that nobody held against what runs. One line, since it comes with each preview until the API answers. */
function notChecked({ name }: Cluster, why: string, isPreview: boolean): string {
    const unchecked = "whether its Kubernetes, etcd, keys and downloads may become what is wanted was not checked";
    const what = `${name}: its API can't be asked, so ${unchecked}: ${why}`;
    const next = isPreview ? ", and run the preview again once it answers" : "";
    return `${what}; see what is wrong by \`tradewind status\`${next}`;
}

/**
 * @returns whether the cluster told what runs
 * @throws RunError with everything that stands in the way
 */
export async function checkUpgrade(
    api: ApiClient,
    cluster: Cluster,
    component: pulumi.Resource,
    downloads: readonly PoolDownloads[] = [],
): Promise<boolean> {
    const wanted = cluster.versions.kubernetes;
    let told: Told | undefined;
    try {
        told = await toldLast(api);
    } catch (error) {
        const problem = accessProblem(cluster, error);
        if (problem !== undefined) throw plainError(cannotHave(cluster, problem));
        await pulumi.log.warn(notChecked(cluster, describeError(error), pulumi.runtime.isDryRun()), component);
        return false;
    }
    if (told === undefined) {
        return false;
    }
    // First: what else is found may come of it.
    await refuse(await admissionRefusals(api, component), cluster, "change anything", component);
    const chosen = await networkProblem(api, cluster);
    if (chosen !== undefined) {
        throw plainError(`${cluster.name}: ${chosen}`);
    }
    const { version: from, annotations } = told;
    await checkKeys(api, annotatedKeys(annotations), cluster, component);
    const members = await membersOf(api, cluster, component);
    const changes = etcdChanges(cluster, members);
    // A cluster that was told before goes on, whatever state that left it in.
    const isUpgrade = from !== wanted;
    const checksums = await checksumProblems(api, downloads);
    if (!isUpgrade) await refuse(checksums, cluster, "have these downloads", component);
    if (!isUpgrade && changes.length === 0) {
        await tellIdle(cluster, component);
        return true;
    }
    const { etcd } = cluster.versions;
    if (!pulumi.runtime.isDryRun() && !cluster.upgradeOverrides.includes("etcd")) {
        await waitUntilWell(api, keeperSeconds);
    }
    const problems = isUpgrade
        ? [...upgradeProblems(await seen(api, component), { kubernetes: wanted, etcd }), ...checksums]
        : etcdOnly(await seenEtcd(api), etcd);
    await refuse(
        problems,
        cluster,
        isUpgrade ? `go from Kubernetes ${from} to ${wanted}` : "change its etcd",
        component,
    );
    for (const { text } of changes) await pulumi.log.info(text, component);
    if (isUpgrade) await pulumi.log.info(`Kubernetes ${from} becomes ${wanted}: ${upgradeOrder}`, component);
    if (!pulumi.runtime.isDryRun()) {
        const { last } = await snapshotNow(api);
        await pulumi.log.info(`the snapshot before: ${last?.name ?? "none"}`, component);
        await changeEtcd(api, cluster, changes, members, component);
    }
    return true;
}

/** What runs, and warnings: of what could not be seen, and of what an upgrade will wait for. */
async function seen(api: ApiClient, component: pulumi.Resource): Promise<RunningCluster> {
    const running = await runningCluster(api);
    const { unaskedApiservers: unasked } = running;
    if (unasked > 0) {
        const which = unasked === 1 ? "a kube-apiserver" : `${unasked} kube-apiservers`;
        const what = "did not tell which APIs that are removed somebody asks it for: the load balancer led to others";
        await pulumi.log.warn(`${which} ${what}`, component);
    }
    for (const warning of upgradeWarnings(running)) await pulumi.log.warn(warning, component);
    return running;
}

function etcdOnly({ members, troubles }: SeenEtcd, wanted: string): UpgradeProblem[] {
    return [...etcdProblems(members, wanted), ...etcdHealthProblems(members, troubles)];
}

/** How etcd's members run. One that can't be seen must not be taken for as it should be. */
async function membersOf(
    api: ApiClient,
    { name, controllers }: Cluster,
    component: pulumi.Resource,
): Promise<readonly RunningMember[]> {
    const isPreview = pulumi.runtime.isDryRun();
    const { members, missing, unregistered } = await shownMembers(
        api,
        controllers.names,
        isPreview ? 0 : kubeletSeconds,
    );
    if (missing.length > 0) {
        const pods = missing.map((node) => `etcd-${node}`).join(", ");
        const message = `${name}: the API does not know the pods ${pods}, of which kubelets tell about every minute`;
        if (!isPreview) throw plainError(`${message}: how etcd runs there can't be seen; ${remedy(unregistered)}`);
        await pulumi.log.warn(`${message}: whether etcd is to be changed there is seen by \`up\``, component);
    }
    return members;
}

function remedy(unregistered: readonly string[]): string {
    if (unregistered.length === 0) return "is the kubelet well?";
    const nodes = `Node${unregistered.length === 1 ? "" : "s"} ${unregistered.join(", ")}`;
    return `the API has no ${nodes}: run \`systemctl restart kubelet\` on that machine, which registers it, then this again`;
}

/** An override that stays would hide what the next upgrade finds. */
async function tellIdle({ name, upgradeOverrides }: Cluster, component: pulumi.Resource): Promise<void> {
    const idle = upgradeOverrides.filter((check) => isOfUpgrades(check));
    if (idle.length === 0) return;
    const what = `upgradeOverrides: [${idle.join(", ")}] overrides nothing now, and would hide what the next upgrade finds`;
    await pulumi.log.warn(`${name}: ${what}: take it out`, component);
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
        await pulumi.log.warn(`${message} (upgradeOverrides: ${name})`, component);
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
): Promise<void> {
    try {
        const tell = (message: string) => pulumi.log.info(message, component);
        await rollOutEtcd(api, cluster, changes, members.map(machineOf), tell);
    } catch (error) {
        throw plainError(`${cluster.name}: ${describeError(error)}`);
    }
}

/** Which checksums nodes would refuse, or not look at. What was told before goes on, whatever state that left nodes in. */
export async function checksumProblems(api: ApiClient, wanted: readonly PoolDownloads[]): Promise<UpgradeProblem[]> {
    if (wanted.length === 0) return [];
    const told = await toldDownloads(api);
    if (wanted.every((each) => isTold(each, told[each.pool]))) return [];
    const messages = downloadProblems(wanted, await nodeFiles(api));
    return messages.map((message) => ({ check: "checksums", message }));
}
