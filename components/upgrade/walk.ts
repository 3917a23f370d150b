import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { type ApiClient, list, patch } from "../../clients/kubernetes/api-client";
import { describePassing, ifFound } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import { leaseReleaser } from "../../clients/kubernetes/ended-leader";
import { isOlderMinor } from "../../clients/kubernetes/minor";
import type { ApiObject, DaemonSet } from "../../clients/kubernetes/objects";
import type { Program } from "../../cluster/flags/known";
import { fieldManager } from "../../cluster/manifest";
import type { Cluster } from "../../cluster/model";
import {
    type EmulationStep,
    emulates,
    emulating,
    emulationSteps,
    runsAs,
    type Stepping,
    steppedFlags,
    steppedPrograms,
    type Template,
} from "../../cluster/upgrades/emulation";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import { minorOf, minorsBetween } from "../../cluster/upgrades/version";
import { knownValue } from "../pulumi/engine";
import { inProgram, withUrn } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { lastWords } from "../rollout/cluster-provider";
import { versionOf } from "./running";
import { passGuarded, requireKept } from "./soak";

const apps = "/apis/apps/v1/namespaces/kube-system";
const programs = [...steppedPrograms.apiserver, ...steppedPrograms.controllers];
const images = {
    "kube-apiserver": "kubeApiserver",
    "kube-controller-manager": "kubeControllerManager",
    "kube-scheduler": "kubeScheduler",
} as const;

type Walked = (typeof programs)[number];
type Templates = Readonly<Record<Walked, Template>>;

/**
 * The pod templates of kube-apiserver, kube-controller-manager and kube-scheduler; undefined if one does not exist, or is
 * of an unknown version.
 */
export async function walkedTemplates(api: ApiClient): Promise<Templates | undefined> {
    const sets = await Promise.all(programs.map((name) => ifFound(daemonSet(api, name))));
    const templates = sets.flatMap((set, index) => {
        const template = set?.spec?.template;
        // Own images may have tags that are no versions.
        return template && versionOf(template.spec, programs[index]!) ? [template] : [];
    });
    if (templates.length < programs.length) return undefined;
    return Object.fromEntries(programs.map((name, index) => [name, templates[index]])) as Templates;
}

/** Whether an `up` was interrupted between two minor versions. */
export function isOnTheWay(templates: Templates): boolean {
    return programs.some((name) => emulates(name, templates[name]));
}

/** Rollouts before the one that reaches the desired version. */
export function stepsTo({ versions }: Pick<Cluster, "versions">, templates: Templates): EmulationStep[] {
    return emulationSteps(stepping(templates, versions.kubernetes), minorOf(versions.kubernetes));
}

function stepping(templates: Templates, desired: string): Stepping {
    const [apiserver, manager, scheduler] = programs.map((name) => runsAs(name, templates[name]));
    return {
        apiserver: apiserver!.minor,
        controllers: isOlderMinor(manager!.minor, scheduler!.minor) ? manager!.minor : scheduler!.minor,
        hasNewer: minorOf(apiserver!.version) === minorOf(desired),
    };
}

/** For readers of a preview and of an `up`. */
export function describeStep({ of, as }: EmulationStep): string {
    return `${steppedPrograms[of].join(" and ")} as ${as}`;
}

/** Flags of what runs that keep it from starting as a version on the way forward. */
export function flagsOnTheWay({ versions }: Pick<Cluster, "versions">, templates: Templates): UpgradeProblem[] {
    const minors = minorsBetween(runsAs("kube-apiserver", templates["kube-apiserver"]).minor, versions.kubernetes);
    return minors.length < 3 ? [] : programs.flatMap((name) => steppedFlags(name, templates[name], minors));
}

/**
 * Walks back before the first program of the control plane is changed to an older version: when no kubelet is newer any
 * more.
 */
export function wayBackHook(
    cluster: Cluster,
    kubeconfig: pulumi.Output<string>,
    isBack: Promise<boolean>,
): pulumi.ResourceHook {
    let walked: Promise<void> | undefined;
    const begin = async ({ urn }: pulumi.ResourceHookArgs) => {
        if (!(await isBack)) return;
        const text = await knownValue(kubeconfig);
        const report = (message: string) => log.info(message, withUrn(urn));
        if (text === undefined) return;
        await withKubeconfig(text, "tradewind-up", (api) => walk({ api, cluster, report }));
    };
    const once = (args: pulumi.ResourceHookArgs) => {
        walked ??= begin(args);
        return walked;
    };
    return new pulumi.ResourceHook(`${cluster.name}-way-back`, inProgram(once));
}

interface Walk {
    readonly api: ApiClient;
    readonly cluster: Cluster;
    readonly report: (message: string) => Promise<unknown>;
}

/**
 * Rolls out programs that emulate other minor versions, until the desired version is next to them. What is next follows
 * from what runs, so that an interrupted walk goes on, or back.
 *
 * These are no resources of the stack: it only declares where this leads.
 */
export async function walk({ api, cluster, report }: Walk): Promise<void> {
    for (;;) {
        const templates = await walkedTemplates(api);
        const [step] = templates ? stepsTo(cluster, templates) : [];
        if (templates === undefined || step === undefined) return;
        await requireKept(api, cluster);
        const names: readonly Walked[] = steppedPrograms[step.of];
        await settled(
            api,
            cluster,
            programs.filter((name) => !names.includes(name)),
        );
        const desired = cluster.versions.kubernetes;
        const isForward = !isOlderMinor(desired, runsAs(names[0]!, templates[names[0]!]).minor);
        const began = performance.now();
        const next = names.map((name) => {
            const toNewer = isForward && { image: cluster.images[images[name]], floor: cluster.rollbackTo };
            return [name, emulating(name, templates[name], { as: step.as, ...toNewer })] as const;
        });
        if (isForward) await passGuarded(api, cluster, Object.fromEntries(next));
        for (const [name, template] of next) await replace(api, name, template);
        await settled(api, cluster, names);
        const seconds = Math.round((performance.now() - began) / 1000);
        await report(`${describeStep(step)}: done in ${seconds} s`);
    }
}

/**
 * Ends a walk that was interrupted: at the desired version if it already ran without emulation, since the state may not
 * know that anything else runs; otherwise next to it.
 */
export async function endWalk(each: Walk): Promise<void> {
    await walk(each);
    const { api, cluster, report } = each;
    const templates = await walkedTemplates(api);
    if (templates === undefined) return;
    const isBack = isOlderMinor(
        cluster.versions.kubernetes,
        runsAs("kube-apiserver", templates["kube-apiserver"]).minor,
    );
    for (const name of isBack ? [...programs].reverse() : programs) {
        if (!emulates(name, templates[name])) continue;
        const earlier = await earlierTemplate(api, name, cluster.images[images[name]]);
        // The stack rolls it out. Until then, those behind it must not be newer: their APIs would be missing.
        if (earlier === undefined) return;
        await replace(api, name, earlier);
        await settled(api, cluster, [name]);
        await report(`${name} ${cluster.versions.kubernetes}: done`);
    }
}

interface ControllerRevision extends ApiObject {
    readonly revision: number;
    readonly data: { readonly spec: { readonly template: Template } };
}

/**
 * The last template with an image, without emulation, that a DaemonSet has had. Another image of the same version may be
 * what a guard has taken back.
 */
async function earlierTemplate(api: ApiClient, name: Walked, image: string): Promise<Template | undefined> {
    const selector = encodeURIComponent(`k8s-app=${name}`);
    const revisions = await list<ControllerRevision>(api, `${apps}/controllerrevisions?labelSelector=${selector}`);
    const [latest] = revisions
        .map(({ revision, data }) => ({ revision, ...data.spec }))
        .filter(({ template }) => !emulates(name, template) && imageOf(name, template) === image)
        .sort((one, other) => other.revision - one.revision);
    if (latest === undefined) return undefined;
    const { $patch: _, ...template } = latest.template as Template & { readonly $patch?: string };
    return template;
}

function imageOf(name: Walked, { spec }: Template): string | undefined {
    return spec.containers.find((each) => each.name === name)?.image;
}

function daemonSet(api: ApiClient, name: Program): Promise<DaemonSet> {
    return api.call<DaemonSet>(`${apps}/daemonsets/${name}`);
}

async function replace(api: ApiClient, name: Program, template: Template): Promise<void> {
    const path = `${apps}/daemonsets/${name}?fieldManager=${fieldManager}`;
    await patch(api, path, "json", [{ op: "replace", path: "/spec/template", value: template }]);
}

/** Waits until all pods of DaemonSets have their current templates. @throws with what keeps them from it */
async function settled(api: ApiClient, cluster: Cluster, names: readonly Program[]): Promise<void> {
    const deadline = performance.now() + cluster.rolloutSeconds * 1000;
    const releaseLease = leaseReleaser(api);
    for (const name of names) {
        for (let why: string | undefined; ; ) {
            // kube-apiserver itself is replaced meanwhile.
            const set = await daemonSet(api, name).catch((error) => {
                why = describePassing(error);
            });
            if (set && isRolledOut(set)) break;
            if (performance.now() >= deadline) {
                const said = set ? await lastWords(api, { kind: "DaemonSet", ...set }) : [why];
                throw new Error([`${name} was not rolled out within ${cluster.rolloutSeconds} s`, ...said].join("; "));
            }
            if (name === "kube-controller-manager") await releaseLease().catch(describePassing);
            await sleep(500);
        }
    }
}
