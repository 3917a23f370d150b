import { type Caller, list, patch, remove } from "../../clients/kubernetes/api-client";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import type { DaemonSet, Pod } from "../../clients/kubernetes/objects";
import { type GuardedProgram, guardedPrograms, type Template, type Templates, type UpgradeRecord } from "./record";
import { runsLike } from "./templates";

const daemonSets = "/apis/apps/v1/namespaces/kube-system/daemonsets";
const pods = "/api/v1/namespaces/kube-system/pods";

type Course = Pick<UpgradeRecord, "before" | "way">;

/**
 * Templates to restore, rollout by rollout: the upgrade in reverse. At first, those before the last rollouts, which the
 * stack itself did; controllers may not be newer than their kube-apiserver.
 */
export function rolloutsBack({ before, way = [] }: Course): readonly Templates[] {
    const states = [before];
    for (const step of way) states.push({ ...states.at(-1)!, ...step });
    const { "kube-apiserver": apiserver, ...controllers } = states.at(-1)!;
    const earlier = way.map((step, index) =>
        Object.fromEntries(namesOf(step).map((name) => [name, states[index]![name]])),
    );
    const all: Templates[] = [controllers, { "kube-apiserver": apiserver }, ...earlier.reverse()];
    // Kube-apiserver becomes the newer program without becoming a newer version at first: both are undone together.
    return all.filter((each, index) => `${namesOf(each)}` !== `${namesOf(all[index + 1] ?? {})}`);
}

function namesOf(templates: Templates): GuardedProgram[] {
    return guardedPrograms.filter((name) => templates[name] !== undefined);
}

/** Seconds without progress after which a rollout is no longer waited for: the next one may be what it needs. */
const patience = { controllers: 15, apiserver: 30 };

/**
 * Takes an upgrade back. What is next follows from what runs, and nothing is ever made newer: so any number of guards
 * may do so at once.
 */
export class TakingBack {
    #shown = "";
    #shownAt = 0;

    constructor(
        private readonly record: Course,
        private readonly fieldManager: string,
        /** Monotonic milliseconds. */
        private readonly clock: () => number,
    ) {}

    /**
     * Restores what can be restored now.
     *
     * @param isDirect - whether to restore what ran before the upgrade without the rollouts in between
     * @returns whether all of that is rolled out
     */
    async act(api: Caller, isDirect = false): Promise<boolean> {
        const course = isDirect ? { before: this.record.before } : this.record;
        const all = guardedPrograms.map((name) => api.call<DaemonSet>(`${daemonSets}/${name}`));
        const sets = Object.fromEntries((await Promise.all(all)).map((set) => [set.metadata.name, set]));
        const rollouts = rolloutsBack(course);
        const newer = (templates: Templates) =>
            namesOf(templates).filter((name) => {
                const { spec } = sets[name]!;
                return ageOf(course, name, spec!.template) > ageOf(course, name, templates[name]!);
            });
        const next = rollouts.findIndex((each) => newer(each).length > 0);
        if (next < 0) return Object.values(sets).every(isRolledOut);
        const last = namesOf(rollouts[next - 1] ?? {}).map((name) => sets[name]!);
        if (!last.every(isRolledOut) && !this.#isStuck(last)) return false;
        await Promise.all(
            newer(rollouts[next]!).map((name) => this.#restore(api, sets[name]!, rollouts[next]![name]!)),
        );
        return false;
    }

    #isStuck(sets: readonly DaemonSet[]): boolean {
        const shown = JSON.stringify(sets.map(({ metadata, status }) => [metadata.name, metadata.generation, status]));
        if (shown !== this.#shown) [this.#shown, this.#shownAt] = [shown, this.clock()];
        const isApiserver = sets.some(({ metadata }) => metadata.name === "kube-apiserver");
        const seconds = isApiserver ? patience.apiserver : patience.controllers;
        return this.clock() - this.#shownAt >= seconds * 1000;
    }

    async #restore(api: Caller, { metadata }: DaemonSet, template: Template): Promise<void> {
        const path = `${daemonSets}/${metadata.name}`;
        const change = [
            { op: "test", path: "/metadata/generation", value: metadata.generation },
            { op: "replace", path: "/spec/template", value: template },
        ];
        try {
            await patch(api, `${path}?fieldManager=${this.fieldManager}`, "json", change);
        } catch (error) {
            const { metadata: now } = await api.call<DaemonSet>(path);
            // If it has changed, another guard has continued meanwhile.
            if (now.generation === metadata.generation) throw error;
        }
    }
}

/** A program's place in the order of its templates; the newest one is not in the record. */
function ageOf({ before, way = [] }: Course, name: GuardedProgram, template: Template): number {
    const known = [before[name], ...way.flatMap((step) => step[name] ?? [])];
    const place = known.findIndex((each) => runsLike(each, template));
    return place < 0 ? known.length : place;
}

/**
 * Removes a node's kube-apiserver of the newer version, through another one: what is connected to it, such as the
 * controller that would replace it, connects to that one.
 */
export async function removeBroken(
    api: Caller,
    node: string,
    { before }: Pick<UpgradeRecord, "before">,
): Promise<void> {
    const imageOf = (spec: Pod["spec"]) => spec.containers.find(({ name }) => name === "kube-apiserver")?.image;
    const query = new URLSearchParams({
        labelSelector: "k8s-app=kube-apiserver",
        fieldSelector: `spec.nodeName=${node}`,
    });
    const found = await list<Pod>(api, `${pods}?${query}`);
    for (const { metadata, spec } of found) {
        if (imageOf(spec) === imageOf(before["kube-apiserver"].spec) || metadata.deletionTimestamp) continue;
        await remove(api, `${pods}/${metadata.name}`, { gracePeriodSeconds: 5 });
    }
}
